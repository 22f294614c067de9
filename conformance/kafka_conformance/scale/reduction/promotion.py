"""A reduced finding as a case for the golden vectors, ready to be reviewed.

A line is appended to `vectors/cases/promoted.jsonl`; `generate.py` makes the vector of it, and refuses to write it
before the reference, the interpreter and Kafka's own classes have judged it as any other. The id tells what is special
about the bytes and what it leads to; which target was wrong stands in the source, with seed, index and profile.
"""

import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from kafka_conformance import vectors
from kafka_conformance.errors import UsageError
from kafka_conformance.generation import promoted
from kafka_conformance.outcomes import Outcome
from kafka_conformance.runner import DISTRIBUTION
from kafka_conformance.scale.reduction.asking import vector_of
from kafka_conformance.scale.reduction.reducing import Reduced
from kafka_conformance.scale.reduction.telling import fields
from kafka_conformance.vectors import Verdict

_IN_BATCH: Final = {
    "base_offset": "v2.offset",
    "partition_leader_epoch": "v2.leader-epoch.outside-crc",
    "attributes": "v2.attributes.unused-ignored",
    "last_offset_delta": "v2.last-offset-delta.kept",
    "base_timestamp": "v2.timestamp.create",
    "max_timestamp": "v2.timestamp.append",
    "producer_id": "v2.producer",
    "producer_epoch": "v2.producer",
    "base_sequence": "v2.sequence",
    "records.attributes": "v2.record.attributes.ignored",
    "records.timestamp_delta": "v2.timestamp.create",
    "records.offset_delta": "v2.offset",
    "records.key": "v2.key.nullable",
    "records.value": "v2.value.nullable",
    "records.headers.key": "v2.header.key.utf8",
    "records.headers.value": "v2.header.value.nullable",
}
"""The rule that a field of a record batch is about, as a proposal to the reviewer."""

_OTHERWISE: Final = {"v2": "v2.batch.empty", "v07": "v07.payload"}
_TITLE_FIELDS: Final = 3


def promote(one: Reduced, directory: Path) -> str:
    """Append a reduced finding to the cases beside the vectors in a directory; return the id.

    Raises:
        UsageError: there are no cases, the finding did not happen again, or there is such a vector already.
    """
    file = directory / "cases" / promoted.FILE
    if not file.parent.is_dir():
        hint = "Work in a checkout of the project, or name its vectors with --vectors."
        raise UsageError(f"{directory} has no cases.", hint)
    if not one.is_finding:
        raise UsageError("that batch did not fail again, so there is nothing to promote.")
    document = case_of(one)
    _check_new(document, directory, file)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(document, ensure_ascii=False) + "\n")
    return str(document["id"])


def case_of(one: Reduced) -> dict[str, Any]:
    """Return the line of a finding, with a title and rules for the reviewer to look at."""
    vector = vector_of(one.data, one.format, tuple(one.codec.split()))
    if vector.verdict is not Verdict.VALID:
        raise UsageError("those bytes are invalid; only findings on valid bytes are promoted.")
    named = fields(one.telling)
    words = [one.format, *(name.replace(".", "-") for name in named), _effect(one)]
    return {
        "id": "/".join([promoted.FAMILY, *words]),
        "title": _title(one),
        "input": "v07" if one.format == "v07" else "run",
        "verdict": "valid",
        "rules": _rules(one.format, named),
        "source": source(one),
        "hex": one.hex,
    }


def source(one: Reduced) -> str:
    """Tell where the bytes come from, so that anyone can find them again."""
    found = f"{one.name} {one.version} {Outcome(one.outcome).words}"
    batch = f"seed {one.seed}, index {one.index}, profile {one.profile}"
    return f"scale: {batch}, sampler of {DISTRIBUTION} {version(DISTRIBUTION)}; {found}"


def _effect(one: Reduced) -> str:
    """Name the field that a wrong answer has wrong, or else the outcome."""
    field = one.path.rpartition(".")[2] if one.outcome == Outcome.WRONG_ANSWER else ""
    return field.partition("[")[0] or one.outcome


def _title(one: Reduced) -> str:
    """Say what matters; the reviewer knows better what it is about."""
    shown = ", ".join(one.telling[:_TITLE_FIELDS]) or "nothing but default values"
    return f"A {'batch' if one.format == 'v2' else 'message'} with {shown}"


def _rules(version_of_format: str, named: tuple[str, ...]) -> list[str]:
    known: Mapping[str, str] = _IN_BATCH if version_of_format == "v2" else {}
    found = list(dict.fromkeys(known[name] for name in named if name in known))
    return found or [_OTHERWISE.get(version_of_format, "entry.run")]


def _check_new(document: Mapping[str, Any], directory: Path, file: Path) -> None:
    """See that neither the bytes nor the fields that matter stand in a vector already."""
    taken = {one.data.hex(): one.id for one in vectors.load(directory)}
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    taken |= {json.loads(line)["hex"]: json.loads(line)["id"] for line in lines}
    same = taken.get(document["hex"])
    if same is not None:
        raise UsageError(f"the vector {same} has the same bytes.", "There is nothing to promote.")
    if document["id"] in taken.values():
        hint = "It differs in the same fields and was reduced as far; promote another finding, or edit the cases."
        raise UsageError(f"there is a vector {document['id']} already.", hint)
