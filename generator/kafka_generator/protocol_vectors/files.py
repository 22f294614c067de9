"""The protocol's vector files: gzipped JSON Lines, one a family, and an index of their digests."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_format.errors import FormatError, LayoutError
from kafka_format.spec.flags import flags
from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.protocol_vectors import cases, frames, oracle, topic_records, wild
from kafka_generator.protocol_vectors.case import MessageCase, MessageJudgement, judge
from kafka_generator.protocol_vectors.shapes import shapes
from kafka_generator.unjudged import MARK, Unjudged, none_allowed

FOLDER: Final = "protocol"
"""Name of the folder, in vectors/."""

WILD: Final = Path(__file__).parents[3] / "vectors" / "cases" / "protocol-wild.jsonl"
INDEX: Final = "index.json"
ENDING: Final = ".gz"
ORACLE: Final = "oracle-protocol.json"
"""Name of the file that keeps what Kafka said, in vectors/cases/."""

_ADVICE: Final = "run `python generate.py --protocol-oracle`"

Families = Mapping[str, Sequence[MessageJudgement]]


def make() -> dict[str, list[MessageJudgement]]:
    """Build and judge every vector, by family.

    Raises:
        LayoutError: the reference does not judge as a construction says, or an id comes twice.
    """
    judgements: dict[str, list[MessageJudgement]] = {}
    seen: set[str] = set()
    for case in _all():
        if case.id in seen:
            raise Section(f"protocol vector `{case.id}`", 1, {}, {}).error("the id comes twice")
        seen.add(case.id)
        judgements.setdefault(case.file, []).append(judge(case))
    return dict(sorted(judgements.items()))


def _all() -> Iterator[MessageCase]:
    for shape in shapes():
        yield from cases.cases(shape)
    yield from cases.surplus_cases()
    yield from frames.cases()
    yield from topic_records.cases()
    yield from wild.cases(WILD)


def ask(directory: Path, families: Families, jars: Path) -> list[LayoutError]:
    """Ask the releases of Kafka about what is new, keep their answers, and return contradictions.

    They are asked about all vectors of a file of which a vector or a release is new.

    Args:
        directory: vectors/.
        families: the vectors.
        jars: the jars that `make schemas` fetches.
    """
    record = oracle.OracleLine(directory / "cases" / ORACLE)
    new = {
        family: judged
        for family, judged in families.items()
        if not record.knows(family, [question.case for question in judged])
    }
    said = oracle.ask([question for judged in new.values() for question in judged], jars)
    for family, judged in new.items():
        record.keep(family, [question.case for question in judged], said)
    record.save(families)
    return [error for judged in new.values() for error in _disagreements(judged, said)]


def _disagreements(judged: Iterable[MessageJudgement], said: Mapping[str, oracle.Said]) -> Iterator[LayoutError]:
    """Yield what the newest release contradicts, and what the newest one that has its flag does."""
    for message_judgement in judged:
        case = message_judgement.case
        asked = [release for release in oracle.RELEASES if case.id in said[release]]
        with_flag = [release for release in asked if not case.flag or not flags()[case.flag].has_ended_before(release)]
        for release in dict.fromkeys((*asked[:1], *with_flag[:1])):
            word = said[release][case.id]
            if word != oracle.expected_answer(case, release):
                section = Section(f"protocol vector `{case.id}`", 1, {}, {})
                yield section.error(f"is {case.verdict}, but Kafka {release} has it {word}")


Documents = Mapping[str, Sequence[dict[str, Any]]]
"""The vectors as JSON has them, by family."""


def documents(directory: Path, families: Families, unjudged: Unjudged | None = None) -> dict[str, list[dict[str, Any]]]:
    """Return the vectors as JSON has them, by family.

    Args:
        directory: vectors/.
        families: the vectors.
        unjudged: takes those about which Kafka was not asked; none may be by default.

    Raises:
        LayoutError: Kafka was not asked about all of them, or a release that decides says something
            else.
    """
    record = oracle.OracleLine(directory / "cases" / ORACLE)
    lines: dict[str, list[dict[str, Any]]] = {}
    for family, judged in families.items():
        said = record.of(family, [question.case for question in judged])
        if said is None:
            lines[family] = _on_trial(directory, family, judged, unjudged or none_allowed())
        else:
            lines[family] = [_document(question, said[question.case.id]) for question in judged]
    return lines


def _on_trial(
    directory: Path, family: str, judged: Iterable[MessageJudgement], waiting: Unjudged
) -> list[dict[str, Any]]:
    """Return the vectors of a file of which some are new.

    Those are marked; the others have the answers that are stored.

    Raises:
        LayoutError: none may wait.
    """
    file = directory / FOLDER / f"{family}.jsonl{ENDING}"
    stored = [json.loads(line) for line in unpack(file).splitlines()] if file.exists() else []
    known = {vector["id"]: vector for vector in stored if MARK.items().isdisjoint(vector.items())}
    made = [_document(question, {}) for question in judged]
    lines = [_with_answers(vector, known.get(vector["id"], {})) for vector in made]
    new = sum(not MARK.items().isdisjoint(vector.items()) for vector in lines)
    section = Section(f"vectors of the protocol, family `{family}`", 1, {}, {})
    waiting.add(section.error("Kafka was not asked about just these", advice=_ADVICE), new)
    return lines


def _with_answers(vector: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return a vector with the answers of the stored one if that is the same, else with a mark."""
    is_same = all(vector.get(key) == known.get(key) for key in ("kind", "versions", "verdict", "flag", "hex"))
    return vector | ({"oracle": known["oracle"]} if is_same else MARK)


def text(vectors: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of a file of vectors."""
    return "".join(f"{json.dumps(vector, ensure_ascii=False)}\n" for vector in vectors)


def _document(message_judgement: MessageJudgement, said: Mapping[str, str]) -> dict[str, Any]:
    case, whole = message_judgement.case, message_judgement.case.shape.whole
    document: dict[str, Any] = {
        "id": case.id,
        "title": case.title,
        "family": case.file,
        "kind": case.kind,
        "layout": whole.name,
        "message": whole.kafka,
    }
    if whole.api is not None:
        document["api"] = whole.api
    if case.topic:
        document["topic"] = case.topic
    document |= {"versions": list(case.shape.versions), "rules": _rules(message_judgement), "verdict": case.verdict}
    if case.flag:
        document["flag"] = case.flag
    document["hex"] = case.data.hex()
    if message_judgement.value is not None:
        document["value"] = case.json_form(message_judgement.value)
    if message_judgement.fault is not None:
        document["fault"] = _fault(message_judgement.fault)
    document |= {"canonical": message_judgement.canonical, "provenance": {"source": case.source}, "oracle": dict(said)}
    return document


def _rules(message_judgement: MessageJudgement) -> list[str]:
    return [message_judgement.fault.rule] if message_judgement.fault is not None else list(message_judgement.case.rules)


def _fault(fault: FormatError) -> dict[str, Any]:
    return {"stage": fault.stage.value, "rule": fault.rule, "offset": fault.offset, "path": fault.path_text}


def pack(text: str) -> bytes:
    """Return a file's bytes: the same for the same text, where the compressor is the same."""
    return gzip.compress(text.encode(), 9, mtime=0)


def unpack(file: Path) -> str:
    """Return the text of a file, packed or not."""
    return gzip.decompress(file.read_bytes()).decode() if file.suffix == ENDING else file.read_text(encoding="utf-8")


def write(file: Path, text: str) -> None:
    """Write a text to a file; one that is to be packed stays as it is if it has this text.

    Compressors differ between releases of their library, so that the bytes say nothing.
    """
    if file.suffix != ENDING:
        file.write_text(text, encoding="utf-8")
    elif not file.exists() or unpack(file) != text:
        file.write_bytes(pack(text))


def contents(directory: Path, families: Documents) -> dict[Path, str]:
    """Return the text of every file in vectors/protocol; `directory` is vectors/."""
    written = {family: text(vectors) for family, vectors in families.items()}
    folder = directory / FOLDER
    files = {folder / f"{family}.jsonl{ENDING}": lines for family, lines in written.items()}
    return files | {folder / INDEX: index(families, written)}


def index(families: Documents, written: Mapping[str, str]) -> str:
    """Return the index: each file's digest, its lines, and each layout's versions in it."""
    files = [_entry(family, vectors, written[family]) for family, vectors in families.items()]
    return json.dumps({"files": files}, indent=1) + "\n"


def _entry(family: str, vectors: Sequence[Mapping[str, Any]], written: str) -> dict[str, Any]:
    layouts: dict[str, set[int]] = {}
    for document in vectors:
        layouts.setdefault(document["layout"], set()).update(document["versions"])
    return {
        "file": f"{family}.jsonl.gz",
        "sha256": hashlib.sha256(written.encode()).hexdigest(),
        "vectors": dict(sorted(Counter(document["verdict"] for document in vectors).items())),
        "versions": {name: _ranges(numbers) for name, numbers in sorted(layouts.items())},
    }


def _ranges(numbers: Iterable[int]) -> str:
    ordered = sorted(numbers)
    starts = [number for number in ordered if number - 1 not in ordered]
    ends = [number for number in ordered if number + 1 not in ordered]
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))
