"""A reduced finding as a case for the golden vectors, ready to be reviewed.

A line is appended to `vectors/cases/promoted.jsonl`; `generate.py` makes the vector of it, and refuses to write it
before the reference, the interpreter and Kafka's own classes have judged it as any other. The id tells what is special
about the bytes and what it leads to; which target was wrong stands in the source, with seed, index and profile.

Bytes with a fault need a twin, the valid vector that differs in nothing else: one with these bytes, or else a line of
its own before the finding's.
"""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format import sampler
from kafka_format.errors import FormatError
from kafka_format.records import decode, v07
from kafka_format.spec.rules import rules

from kafka_conformance.errors import UsageError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.runs.header import DISTRIBUTION
from kafka_conformance.scale.reduction.proposing import judged, plain_rule, proposed
from kafka_conformance.scale.reduction.reduced import Reduced
from kafka_conformance.scale.reduction.telling import fields
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.golden import PROMOTED, PROMOTED_FILE, Vector, Verdict

_TITLE_FIELDS: Final = 3
_ALIKE: Final = 4
_FAULTS: Final = {fault.name: fault for fault in sampler.FAULTS}


class Promoted(NamedTuple):
    """What was appended.

    Attributes:
        id: of the new case.
        target: the one that fails on it.
        verdict: what the reference says of the bytes.
        rules: ids of the rules; sure for bytes that must be refused, where the reference names the one, and otherwise
            a proposal.
        twin: id of the vector that differs only in the fault; empty for valid bytes.
        adds_twin: whether that one is new as well.
        alike: vectors that break the same rule in the same field, or are about the same rule, some of them.
    """

    id: str
    target: str
    verdict: Verdict
    rules: tuple[str, ...]
    twin: str = ""
    adds_twin: bool = False
    alike: tuple[str, ...] = ()


def promote(one: Reduced, directory: Path) -> Promoted:
    """Append a reduced finding to the cases beside the vectors in a directory.

    Raises:
        UsageError: there are no cases, the finding did not happen again, or there is such a vector already.
    """
    file = directory / "cases" / PROMOTED_FILE
    if not file.parent.is_dir():
        hint = "Work in a checkout of the project, or name its vectors with --vectors."
        raise UsageError(f"{directory} has no cases.", hint)
    if not one.is_finding:
        raise UsageError("that batch did not fail again, so there is nothing to promote.")
    known = golden.load(directory)
    taken = _taken(known, file)
    document: dict[str, Any] = case_of(one)
    _check_new(document, taken)
    twin = _twin_of(one, document, taken)
    lines = [document] if twin is None else [twin, document]
    if "fault" in document:
        document["twin"] = twin["id"] if twin else taken[one.twin]
    with file.open("a", encoding="utf-8") as appended:
        appended.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    verdict, about = Verdict(document["verdict"]), tuple(document["rules"])
    alike = tuple(_alike(document, known))
    return Promoted(document["id"], one.target, verdict, about, document.get("twin", ""), twin is not None, alike)


def told(new: Promoted, directory: Path) -> Iterator[str]:
    """Say what was appended, what of it is sure, and what to do next."""
    sure = new.verdict is not Verdict.VALID
    yield f"{new.id} stands at the end of {directory / 'cases' / PROMOTED_FILE}: {new.verdict}, as the reference says."
    if new.twin:
        yield f"Its twin, the same without the fault, is {new.twin}" + (", which is new too." if new.adds_twin else ".")
    for rule in new.rules:
        yield f"  {rule}: {rules()[rule].sentence}"
    if new.alike:
        yield f"Vectors that are near it already: {', '.join(new.alike)}"
        yield "See first whether the target fails one of them in the same way; then this one is not needed:"
        ids = " ".join(f"--vectors {name}" for name in new.alike)
        yield f"  kafka-conformance run {shlex.quote(new.target)} {ids}"
    yield "What to do next:"
    named = (
        "its rule is the one that the reference names"
        if sure
        else "A PERSON MUST CONFIRM THE RULES, they are proposals"
    )
    yield f"1. Review the title, a proposal. {named[0].upper()}{named[1:]}."
    yield "2. make oracle            puts it to Kafka's own classes (needs a JDK), and writes the vector"
    yield f"3. kafka-conformance run --vectors 'promoted/*' reference {shlex.quote(new.target)}"
    yield "4. Add a line to vectors/CHANGELOG.md, and commit."


def case_of(one: Reduced) -> dict[str, Any]:
    """Return the line of a finding, with a title and rules for the reviewer to look at; its twin is left out."""
    vector = judged(one)
    document: dict[str, Any] = {
        "id": "/".join([PROMOTED, one.format, *_words(one, vector)]),
        "title": _title(one, vector),
        "input": "v07" if one.format == "v07" else "run",
        "verdict": str(vector.verdict),
        "rules": proposed(one),
        "source": source(one),
        "hex": one.hex,
    }
    if vector.verdict is Verdict.LENIENT:
        document["flag"] = vector.flag
    if vector.fault is not None:
        document["fault"] = {"rule": vector.fault.rule, "path": vector.fault.path}
    return document


def source(one: Reduced) -> str:
    """Tell where the bytes come from, so that anyone can find them again."""
    found = f"{one.name} {one.version} {Outcome(one.outcome).words}"
    batch = f"seed {one.seed}, index {one.index}, profile {one.profile}"
    return f"scale: {batch}, sampler of {DISTRIBUTION} {version(DISTRIBUTION)}; {found}"


def _words(one: Reduced, vector: Vector) -> Iterator[str]:
    """What the id is made of: the fault and its field; or the parts that matter, and what they lead to."""
    if vector.fault is not None:
        yield one.fault.partition("/")[2] or _slug(vector.fault.rule)
        yield from filter(None, [_slug(*fields((vector.fault.path,)))])
        yield from (codec for codec in vector.codecs if codec != "none")
        return
    yield from [one.fault.partition("/")[2]] if one.fault else map(_slug, fields(one.cause))
    field = one.path.rpartition(".")[2] if one.outcome == Outcome.WRONG_ANSWER else ""
    yield _slug(field.partition("[")[0] or one.outcome)


def _slug(path: str) -> str:
    return path.replace(".", "-")


def _title(one: Reduced, vector: Vector) -> str:
    """Say what matters; the reviewer knows better what it is about."""
    if one.fault:
        doc = _FAULTS[one.fault].doc
        told = _refusal(one)
        return f"{doc[0].upper()}{doc[1:]}" + (f": {told}" if told else "")
    shown = ", ".join((one.cause or one.telling)[:_TITLE_FIELDS]) or "nothing but default values"
    return f"A {'batch' if vector.format == 'v2' else 'message'} with {shown}"


def _refusal(one: Reduced) -> str:
    """What the reference says is wrong, and where."""
    try:
        (v07.decode if one.format == "v07" else decode)(one.data)
    except FormatError as error:
        return f"{error.path}, {error.detail}" if error.path else error.detail
    return ""


def _taken(known: Sequence[Vector], file: Path) -> dict[str, str]:
    """The ids of vectors and promoted cases by their bytes."""
    taken = {one.data.hex(): one.id for one in known}
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return taken | {line["hex"]: line["id"] for line in map(json.loads, lines)}


def _check_new(document: Mapping[str, Any], taken: Mapping[str, str]) -> None:
    """See that neither the bytes nor the fields that matter stand in a vector already."""
    same = taken.get(document["hex"])
    if same is not None:
        raise UsageError(f"the vector {same} has the same bytes.", "There is nothing to promote.")
    if document["id"] in taken.values():
        hint = "It differs in the same fields and was reduced as far; promote another finding, or edit the cases."
        raise UsageError(f"there is a vector {document['id']} already.", hint)


def _twin_of(one: Reduced, document: Mapping[str, Any], taken: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the line of the bytes without the fault; None where no twin is due, or a vector has these bytes."""
    if "fault" not in document or one.twin in taken:
        return None
    title = f"The bytes of {document['id']} without their fault"
    fields_of_twin = {"title": title, "verdict": "valid", "rules": [plain_rule(one)], "hex": one.twin}
    kept = {key: value for key, value in document.items() if key not in ("fault", "flag")}
    return kept | {"id": f"{document['id']}/twin", **fields_of_twin}


def _alike(document: Mapping[str, Any], known: Sequence[Vector]) -> list[str]:
    """The smallest vectors that break the same rule in the same field; of valid ones, that are about the first rule."""
    fault, rule = document.get("fault"), document["rules"][0]
    same = [
        one
        for one in known
        if one.verdict == document["verdict"]
        and one.format == document["id"].split("/")[1]
        and (
            (one.fault.rule, one.fault.path) == (fault["rule"], fault["path"])
            if fault and one.fault
            else rule in one.rules
        )
    ]
    return [one.id for one in sorted(same, key=lambda one: len(one.data))[:_ALIKE]]
