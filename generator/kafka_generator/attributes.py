"""Whether .gitattributes marks what programs write, and nothing else, so that reviews fold it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from kafka_conformance.errors import NotReadyError

from kafka_generator.markdown import PARTLY_MADE

RECORDED: Final = (
    "docs/recorded/bench.json",
    "docs/recorded/broker.json",
    "docs/recorded/consumer.json",
    "docs/recorded/decoder.json",
    "docs/recorded/details.json.gz",
    "docs/recorded/messages.json",
    "docs/recorded/producer.json",
    "docs/recorded/scenario.json",
    "docs/recorded/serde.json",
    "vectors/append-errors.json",
    "vectors/cases/found.jsonl",
    "vectors/cases/offered-apis.json",
    "vectors/cases/oracle-assign.json",
    "vectors/cases/oracle-content.json",
    "vectors/cases/oracle-conversation.json",
    "vectors/cases/oracle-convert.json",
    "vectors/cases/oracle-deliver.json",
    "vectors/cases/oracle-protocol.json",
    "vectors/cases/oracle-scenario.json",
    "vectors/cases/oracle.json",
    "vectors/cases/pairs.jsonl",
    "vectors/cases/protocol-wild.jsonl",
    "vectors/cases/wild.jsonl",
)
"""The files that other programs write, or that only some options of generate.py write anew."""

_LOCKS: Final = (".lock", "package-lock.json")
"""Endings of files that package managers make."""


def complaints(contents: Mapping[Path, str], root: Path) -> Iterator[str]:
    """Yield a complaint for each file that is made and not marked, or marked and not made.

    A page that people write, and of which only parts are made, is not to be marked. What is not
    in git, such as an unpacked archive, has no marks, and no complaints.

    Args:
        contents: the text of every file that generate.py writes.
        root: the folder of the project.

    Raises:
        NotReadyError: git does not answer.
    """
    if not (root / ".git").exists():
        return
    made = {file.relative_to(root).as_posix() for file, text in contents.items() if PARTLY_MADE not in text}
    made.update(RECORDED)
    marked = _marked(root, made)
    for name in sorted(made - marked):
        yield f"{name} is made, and .gitattributes does not mark it as linguist-generated; add it there"
    for name in sorted(marked - made):
        yield f"{name} is not made, and .gitattributes marks it as linguist-generated; take it out there"


def _marked(root: Path, names: set[str]) -> set[str]:
    """Return which of some files, and of those that git knows, are marked."""
    known = _git(root, "ls-files", "-z").split("\0")
    asked = {name for name in {*known, *names} if name and not name.endswith(_LOCKS)}
    said = _git(root, "check-attr", "-z", "--stdin", "linguist-generated", given="\0".join(sorted(asked)))
    fields = said.split("\0")
    return {name for name, value in zip(fields[::3], fields[2::3], strict=False) if value == "set"}


def _git(root: Path, *arguments: str, given: str = "") -> str:
    command = ["git", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or error
        raise NotReadyError("git cannot be asked about .gitattributes", str(said).strip()) from error
