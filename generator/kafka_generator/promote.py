"""A reduced finding of the Spark run as a case for the golden vectors, ready for review.

Call it as `python -m kafka_generator.promote N --out DIR`: N is the number of the finding, as the
summary of `kafka-conformance scale` shows it, and DIR the folder of the run. A line is appended to
`vectors/cases/promoted.jsonl`. `generate.py` makes the vector, and refuses to write it until the
reference, the interpreter and Kafka's own classes have judged it like any other. The id says what
is special about the bytes and what it leads to; the source has the target that was wrong, with
seed, index and profile.

Bytes with a fault need a twin, the valid vector that differs in nothing else: a vector that has
these bytes already, or a line of its own before the finding's.

The reference names the rule that invalid bytes break, so that one is certain. Nobody can tell from
valid bytes which rule the target did not keep. Proposed are, in this order: the rule of the fault;
the rules of the parts without which the target is right; the rule of the field that it has wrong; a
rule that any bytes of this format are about.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction.judged_bytes import JudgedBytes
from kafka_conformance.reduction.tree import field_names
from kafka_conformance.scale.plan import MESSAGES
from kafka_conformance.scale.reduce.rule_proposals import judged_minimum, plain_rule, proposed_rules
from kafka_conformance.scale.results import reductions
from kafka_conformance.scale.results.reductions import Reduced
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.golden import PROMOTED, PROMOTED_FILE
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format.errors import FormatError
from kafka_format.records import decode, v07
from kafka_format.spec.rules import rules
from kafka_tools.errors import UsageError
from kafka_tools.system.distribution import DISTRIBUTION

VECTORS: Final = Path(__file__).parents[2] / "vectors"

ID_LENGTH: Final = 64
"""Most characters of an id for the parts of the cause. The first part is always named."""


_TITLE_FIELDS: Final = 3
_ALIKE: Final = 4


class Promoted(NamedTuple):
    """The lines that were appended to the cases.

    Attributes:
        case: the line: see `case_of`; `twin` is the id of the vector without the fault, if there is
            one.
        target: the one that fails on it.
        adds_twin: True if the twin is new as well.
        alike: some vectors that break the same rule in the same field, or are about the same rule.
    """

    case: Mapping[str, Any]
    target: str
    adds_twin: bool
    alike: tuple[str, ...]


def promote(finding: Reduced, directory: Path) -> Promoted:
    """Append a reduced finding to the cases beside the vectors in a directory.

    Raises:
        UsageError: there are no cases, the finding did not happen again, or there is such a vector
            already.
    """
    if finding.batch.profile in MESSAGES:
        hint = "Vectors of the protocol are made from the layouts, in generator/kafka_generator/protocol_vectors."
        raise UsageError("requests and responses are not promoted.", hint)
    file = directory / "cases" / PROMOTED_FILE
    if not file.parent.is_dir():
        hint = "Name the vectors of a checkout of the project with --vectors."
        raise UsageError(f"{directory} has no cases.", hint)
    if not finding.is_finding:
        raise UsageError("that batch did not fail again.", "Promote a finding that is steady; `--reduce` finds those.")
    known = golden.load(directory)
    taken = _taken_ids(known, file)
    case: dict[str, Any] = case_of(finding)
    _check_new(case, taken)
    twin = _new_twin(finding, case, taken)
    if "fault" in case:
        case["twin"] = twin["id"] if twin else taken[finding.minimal.twin]
    with file.open("a", encoding="utf-8") as appended:
        appended.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in (twin, case) if line)
    return Promoted(case, finding.batch.target, twin is not None, tuple(_alike(case, known)))


def next_steps(new: Promoted, directory: Path) -> Iterator[str]:
    """Return lines on what was appended, what of it is certain, and what to do next."""
    case, target = new.case, shlex.quote(new.target)
    file = directory / "cases" / PROMOTED_FILE
    yield f"{case['id']} stands at the end of {file}: {case['verdict']}, as the reference says."
    if "twin" in case:
        also = ", which is new too." if new.adds_twin else "."
        yield f"Its twin, the same without the fault, is {case['twin']}{also}"
    yield from (f"  {rule}: {rules()[rule].sentence}" for rule in case["rules"])
    if new.alike:
        yield f"Similar vectors: {', '.join(new.alike)}"
        yield "If the target fails one of them in the same way, this one is not needed:"
        yield f"  kafka-conformance run {target} {' '.join(f'--vectors {name}' for name in new.alike)}"
    proposed = "A PERSON MUST CONFIRM THE RULES, they are proposals."
    certain = "Its rule is the one that the reference names."
    yield "What to do next:"
    yield f"1. Review the title, a proposal. {proposed if case['verdict'] == Verdict.VALID else certain}"
    yield "2. make oracle            runs it through Kafka's own classes (needs a JDK), and writes the vector"
    yield f"3. kafka-conformance run --vectors 'promoted/*' reference {target}"
    yield "4. Add a line to vectors/CHANGELOG.md, and commit."


def case_of(finding: Reduced) -> dict[str, Any]:
    """Return a finding's line, with title and rules for the reviewer; its twin is left out."""
    asked, minimal = judged_minimum(finding), finding.minimal
    case: dict[str, Any] = {
        "id": "/".join([PROMOTED, minimal.format, *_id_words(finding, asked)]),
        "title": _title(finding, asked),
        "input": "v07" if minimal.format == "v07" else "run",
        "verdict": str(asked.verdict),
        "rules": proposed_rules(finding),
        "source": source(finding),
        "hex": minimal.hex,
    }
    if asked.verdict is Verdict.LENIENT:
        case["flag"] = asked.flag
    if asked.fault is not None:
        case["fault"] = {"rule": asked.fault.rule, "path": asked.fault.path}
    return case


def source(finding: Reduced) -> str:
    """Return the source of the bytes: seed, index, profile and versions."""
    batch, failure = finding.batch, finding.failure
    where = f"seed {batch.seed}, index {batch.index}, profile {batch.profile}"
    sampler = f"sampler of {DISTRIBUTION} {version(DISTRIBUTION)}"
    return f"scale: {where}, {sampler}; {failure.library} {failure.version} {finding.outcome.words}"


def _id_words(finding: Reduced, asked: JudgedBytes) -> Iterator[str]:
    """The fault and its field; or the parts of the cause, and what they lead to."""
    done = finding.minimal.fault.partition("/")[2]
    if asked.fault is not None:
        yield done or _slug(asked.fault.rule)
        yield from map(_slug, filter(None, field_names([asked.fault.path])))
        yield from (codec for codec in asked.codecs if codec != "none")
        return
    yield from [done] if done else _fitting_words([_slug(name) for name in field_names(finding.cause.parts)])
    field = finding.failure.path.rpartition(".")[2] if finding.outcome is Outcome.WRONG_ANSWER else ""
    yield _slug(field.partition("[")[0] or finding.outcome)


def _fitting_words(words: list[str]) -> list[str]:
    """Return as many words as fit into an id.

    Those left out are counted and hashed, so that other ones give another id.
    """
    kept = [word for number, word in enumerate(words, 1) if number == 1 or len("/".join(words[:number])) <= ID_LENGTH]
    left = words[len(kept) :]
    digest = sha256("/".join(left).encode()).hexdigest()[:6]
    return [*kept, f"and-{len(left)}-more-{digest}"] if left else kept


def _slug(path: str) -> str:
    return path.replace(".", "-")


def _title(finding: Reduced, asked: JudgedBytes) -> str:
    """Say what is special; the reviewer knows better what it is about."""
    minimal, doc = finding.minimal, finding.minimal.sampler_fault.doc
    if minimal.fault:
        refusal = _refusal(finding)
        return f"{doc[0].upper()}{doc[1:]}" + (f": {refusal}" if refusal else "")
    shown = ", ".join((finding.cause.parts or minimal.parts)[:_TITLE_FIELDS]) or "nothing but default values"
    return f"A {'batch' if asked.format == 'v2' else 'message'} with {shown}"


def _refusal(finding: Reduced) -> str:
    """What the reference says is wrong, and where."""
    try:
        (v07.decode if finding.minimal.format == "v07" else decode)(finding.minimal.data)
    except FormatError as error:
        return f"{error.path_text}, {error.detail}" if error.path else error.detail
    return ""


def _taken_ids(known: Sequence[Vector], file: Path) -> dict[str, str]:
    """The ids of vectors and promoted cases by their bytes."""
    taken = {vector.data.hex(): vector.id for vector in known}
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return taken | {line["hex"]: line["id"] for line in map(json.loads, lines)}


def _check_new(case: Mapping[str, Any], taken: Mapping[str, str]) -> None:
    """Refuse bytes, or an id, that a vector has already."""
    same = taken.get(case["hex"])
    if same is not None:
        raise UsageError(f"the vector {same} has the same bytes.", "There is nothing to promote.")
    if case["id"] in taken.values():
        hint = "It differs in the same fields and was reduced as far; promote another finding, or edit the cases."
        raise UsageError(f"there is a vector {case['id']} already.", hint)


def _new_twin(finding: Reduced, case: Mapping[str, Any], taken: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the line of the bytes without the fault; None if not needed, or a vector has them."""
    twin = finding.minimal.twin
    if "fault" not in case or twin in taken:
        return None
    title = f"The bytes of {case['id']} without their fault"
    kept = {name: value for name, value in case.items() if name not in ("fault", "flag")}
    changed = {"id": f"{case['id']}/twin", "title": title, "verdict": "valid", "rules": [plain_rule(finding)]}
    return kept | changed | {"hex": twin}


def _alike(case: Mapping[str, Any], known: Sequence[Vector]) -> list[str]:
    """Return the smallest vectors that are alike: with the same rule and, if broken, field."""

    def is_alike(vector: Vector) -> bool:
        if (vector.verdict, vector.format) != (case["verdict"], case["id"].split("/")[1]):
            return False
        if "fault" in case and vector.fault:
            return bool(case["fault"] == {"rule": vector.fault.rule, "path": vector.fault.path})
        return case["rules"][0] in vector.rules

    return [vector.id for vector in sorted(filter(is_alike, known), key=lambda vector: len(vector.data))[:_ALIKE]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Append a finding to the cases, and print what to do next; 2 if it cannot be a case."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.promote", description=__doc__)
    parser.add_argument("number", type=int, metavar="N", help="number of the finding, as the summary shows it")
    parser.add_argument("--out", type=Path, default=Path("scale-out"), help="folder of the run; default: %(default)s")
    parser.add_argument("--vectors", type=Path, default=VECTORS, help="default: those of this checkout")
    given = parser.parse_args(arguments)
    try:
        new = promote(_finding(given.out, given.number), given.vectors)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    print(*next_steps(new, given.vectors), sep="\n")
    return 0


def _finding(folder: Path, number: int) -> Reduced:
    """Return a reduced finding of a run.

    Raises:
        UsageError: the folder has no such finding.
    """
    findings = reductions.read(folder)
    if not 1 <= number <= len(findings):
        hint = "They are numbered from 1, as the summary shows."
        raise UsageError(f"{folder} has {len(findings)} reduced findings.", hint)
    return findings[number - 1]


if __name__ == "__main__":
    sys.exit(main())
