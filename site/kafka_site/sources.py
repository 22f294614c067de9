"""Links from the sources of rules to Kafka's code, proposals, tickets and to RFCs.

`site/proposals.yaml` has the names of the wiki's pages. `site/kafka_lines.json` says at which line
of which commit a class or method begins; `python -m kafka_site.sources CHECKOUT` makes it from a
clone of apache/kafka. A source that is in neither stays text.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote_plus

import yaml
from kafka_format.spec.rules import rules

from kafka_site.templates import SITE

FILE: Final = SITE / "kafka_lines.json"
PROPOSALS: Final = SITE / "proposals.yaml"

_WIKI: Final = "https://cwiki.apache.org/confluence/display/KAFKA"
_INDEX: Final = "Kafka Improvement Proposals"

_CODE: Final = "https://github.com/apache/kafka/blob"
_TICKETS: Final = "https://issues.apache.org/jira/browse"
_RFCS: Final = "https://www.rfc-editor.org/rfc"

_WORD: Final = re.compile(
    r"(?P<proposal>KIP-\d+)|(?P<ticket>KAFKA-\d+)|RFC (?P<rfc>\d+)(?: (?P<section>\d[\d.]*\d|\d))?"
    r"|(?P<name>\b[A-Za-z][\w.]*\b)"
)
_NAME: Final = re.compile(r"\b(?:[a-z]+\.)*(?P<type>[A-Z]\w+)(?:\.(?P<member>\w+))?")
_RELEASE: Final = re.compile(r"\((0\.[\d.]+)\)$")
_TAGS: Final = {"0.7.2": "kafka-0.7.2-incubating-candidate-5", "0.8": "0.8.2.2", "0.10.1": "0.10.1.1"}
"""The tags of old releases, by what sources call these."""


_NO_DEFINITION: Final = ("*", "//", "return", "new ", "throw", "if ", "else", "for ", "while ")
"""How lines begin that use a name and do not define it."""


class Line(NamedTuple):
    """A place in Kafka's code: commit or tag, path, line."""

    ref: str
    path: str
    line: int

    @property
    def url(self) -> str:
        """Its address, which lasts."""
        return f"{_CODE}/{self.ref}/{self.path}#L{self.line}"


@cache
def lines() -> Mapping[str, Line]:
    """Return the known places: by `CLASS.member` or `CLASS`, and ` RELEASE` if that is old."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    return {name: Line(*place) for name, place in document["lines"].items()}


@cache
def titles() -> Mapping[str, str]:
    """Return the names of the wiki's pages by proposal."""
    known: dict[str, str] = yaml.safe_load(PROPOSALS.read_text(encoding="utf-8"))
    return known


def proposal(name: str) -> str:
    """Return the address of a proposal or ticket; that of their index if its page is not known."""
    if name.startswith("KAFKA-"):
        return f"{_TICKETS}/{name}"
    return f"{_WIKI}/{quote_plus(titles().get(name, _INDEX))}"


def linked(source: str) -> str:
    """Return the source of a rule as HTML: what is known of it is linked."""
    found = _RELEASE.search(source)
    release = f" {found[1]}" if found else ""

    def link(word: re.Match[str]) -> str:
        address = _address(word, release)
        return f'<a href="{escape(address)}">{escape(word[0])}</a>' if address else escape(word[0])

    pieces, at = [], 0
    for word in _WORD.finditer(source):
        pieces += [escape(source[at : word.start()]), link(word)]
        at = word.end()
    return "".join([*pieces, escape(source[at:])])


def _address(word: re.Match[str], release: str) -> str:
    if word["proposal"] or word["ticket"]:
        return proposal(word[0])
    if word["rfc"]:
        return f"{_RFCS}/rfc{word['rfc']}" + (f"#section-{word['section']}" if word["section"] else "")
    named = _NAME.fullmatch(word["name"])
    place = named and lines().get(f"{_key(named)}{release}")
    return place.url if place else ""


def _key(named: re.Match[str]) -> str:
    return f"{named['type']}.{named['member']}" if named["member"] else named["type"]


def _wanted() -> Iterator[tuple[str, str, str]]:
    """Yield type, member and release of each place that the source of a rule names."""
    for rule in rules().values():
        for part in re.split(r"; | and ", rule.source):
            found = _RELEASE.search(part)
            for named in _NAME.finditer(part):
                if named["type"] != "Kafka":
                    yield named["type"], named["member"] or "", found[1] if found else ""


def find(checkout: Path) -> dict[str, Line]:
    """Return the places that a clone of apache/kafka has of what rules name.

    Raises:
        subprocess.CalledProcessError: it is no clone of a repository.
    """
    refs = {"": _git(checkout, "rev-parse", "HEAD").strip(), **_TAGS}
    files = {release: _git(checkout, "ls-tree", "-r", "--name-only", ref).splitlines() for release, ref in refs.items()}
    found = {}
    for kind, member, release in sorted(set(_wanted())):
        for path in _paths(files[release], kind):
            text = _git(checkout, "show", f"{refs[release]}:{path}")
            line = _line(text, kind, member)
            if line:
                key = f"{kind}.{member}" if member else kind
                found[f"{key} {release}".strip()] = Line(refs[release], path, line)
                break
    return found


def _paths(files: list[str], kind: str) -> list[str]:
    """Return the files of a type, and no tests; the shortest path first."""
    pattern = re.compile(rf"/main/.*/{kind}\.(?:java|scala)$|/main/.*/{kind}\.json$")
    return sorted((file for file in files if pattern.search(f"/{file}")), key=len)


def _line(text: str, kind: str, member: str) -> int:
    """Return the line at which a type, or a member of it, begins; 0 if none does."""
    name = member or kind
    defined = re.compile(rf"\b(?:class|interface|enum|object|trait|def) {name}\b")
    called = re.compile(rf"^ +[\w@<>\[\], .?]*\b{name}(?: ?\(| =)")
    rows = list(enumerate(text.splitlines(), 1))
    for number, row in rows:
        if defined.search(row) and not row.lstrip().startswith(("*", "//")):
            return number
    for number, row in rows:
        if called.search(row) and not row.lstrip().startswith(_NO_DEFINITION) and not row.rstrip().endswith(";"):
            return number
    for number, row in rows:
        if called.search(row) and re.search(rf"\b{name} =", row):
            return number
    return 1 if kind == name else 0


def _git(checkout: Path, *words: str) -> str:
    command = ["git", "-C", str(checkout), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Write the file from the clone that is named."""
    found = find(Path(sys.argv[1]))
    rows = [f" {json.dumps(name)}: {json.dumps(list(place))}" for name, place in sorted(found.items())]
    FILE.write_text('{"lines": {\n' + ",\n".join(rows) + "\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
