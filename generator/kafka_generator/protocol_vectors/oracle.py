"""What Kafka's own message classes say of the vectors, release by release.

The record is a file beside the cases, made where a JDK and the jars are, and an input everywhere
else. It is short: of each file of vectors the digest of all that was asked, and for each release
the vectors of which it says something else than the verdict does. So nothing can be added or
changed without asking again.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from kafka_format.errors import EncodeError
from kafka_format.protocol import to_json
from kafka_format.spec.flags import flags
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.release_table import release_rows
from kafka_format.spec.layout.versioned import VersionedLayout

from kafka_generator.kafka_judge import (
    ContentJudge,
    ContentQuestion,
    Judge,
    OldJudge,
    OldQuestion,
    Question,
    RecordJudge,
    RecordQuestion,
    Reply,
    Status,
)
from kafka_generator.kafka_judge.content_judge import release_of
from kafka_generator.kafka_judge.old_judge import RELEASE as OLD
from kafka_generator.kafka_judge.record_judge import RELEASE
from kafka_generator.kafka_schemas import facts
from kafka_generator.protocol_vectors import topic_records
from kafka_generator.protocol_vectors.case import MessageCase, MessageJudgement
from kafka_generator.protocol_vectors.shapes import Shape

ASKED_ALL: Final = tuple(row.name for row in release_rows().values() if row.messages == "all")
"""The releases that are asked about every version that they have. Others only about layouts which
these do not have."""

RELEASES: Final = {row.name: row.version for row in release_rows().values() if row.messages}
"""The releases that are asked, newest first, with their patch.

The newest one that has a version decides: no vector contradicts it. Older ones do not have the
tagged fields that later releases added to a version.
"""

NAMING: Final = ASKED_ALL[0]
"""The release whose names the vectors have; older ones called some fields otherwise."""

_NUMBERED: Final = (4, 1)
"""From this release on the version of a coordinator's key is 0, and before the number of the
record."""

_UNKNOWN_TAGS: Final = "_unknownTaggedFields"
_RECORDS: Final = ("records", "unalignedRecords")

Said = dict[str, str]
"""What one release says of a vector, by its id: `accepted`, `refused`, or `accepted otherwise`."""


class VersionQuestion(NamedTuple):
    """A question to one release about one version of a vector."""

    judgement: MessageJudgement
    question: Question


def expected_answer(case: MessageCase, release: str) -> str:
    """Return what a release says that agrees with the verdict.

    Lenient bytes are refused by releases that came after the last one that has the flag.
    """
    is_refused = case.verdict == "invalid" or (bool(case.flag) and flags()[case.flag].has_ended_before(release))
    return "refused" if is_refused else "accepted"


def digest(cases: Iterable[MessageCase]) -> str:
    """Return the digest of all that is asked of some cases."""
    digest = hashlib.sha256()
    for case in cases:
        digest.update(f"{case.id} {case.shape.versions} {case.verdict} {case.data.hex()}\n".encode())
    return digest.hexdigest()[:32]


def ask(all_judged: Sequence[MessageJudgement], jars: Path) -> dict[str, Said]:
    """Return what every release says of every vector of which it knows a version."""
    return {release: dict(_of_release(release, all_judged, jars)) for release in RELEASES}


def _of_release(release: str, all_judged: Sequence[MessageJudgement], jars: Path) -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as build:
        answered = (_old if release == OLD else _new)(release, all_judged, jars, Path(build))
    words: dict[str, set[str]] = {}
    for judged, reply in answered:
        if reply.status != Status.UNKNOWN:
            words.setdefault(judged.case.id, set()).add(_word(judged, reply, names=release == NAMING))
    for identity, said in words.items():
        yield identity, said.pop() if len(said) == 1 else "accepted otherwise"


def _new(
    release: str, all_judged: Sequence[MessageJudgement], jars: Path, build: Path
) -> list[tuple[MessageJudgement, Reply]]:
    """Return what a release's generated classes say, and its classes that read topics."""
    judge = Judge(jars, release, build)
    asked = [version_question for judged in all_judged for version_question in _questions(judge, release, judged)]
    answered = list(
        zip(
            (message_judgement.judgement for message_judgement in asked),
            judge.ask([message_judgement.question for message_judgement in asked]),
            strict=True,
        )
    )
    if release == RELEASE:
        in_topics = [
            message_judgement
            for message_judgement in all_judged
            if message_judgement.case.topic and message_judgement.case.has_oracle
        ]
        questions = [_record_question(topic.case) for topic in in_topics]
        answered += zip(in_topics, RecordJudge(jars, build).ask(questions), strict=True)
    return [*answered, *_contents(release, all_judged, jars, build)]


def _contents(
    release: str, all_judged: Sequence[MessageJudgement], jars: Path, build: Path
) -> Iterator[tuple[MessageJudgement, Reply]]:
    """Yield what the schemas say that a release keeps in constants, each with its vector."""
    asked = [
        (judged, ContentQuestion(judged.case.shape.whole.name, number, judged.case.data))
        for judged in all_judged
        if release_of(judged.case.shape.whole.name) == release
        for number in judged.case.shape.versions
    ]
    said = ContentJudge(jars, build).ask([question for _, question in asked]) if asked else []
    return zip((judged for judged, _ in asked), said, strict=True)


def _old(
    release: str, all_judged: Sequence[MessageJudgement], jars: Path, build: Path
) -> list[tuple[MessageJudgement, Reply]]:
    """Return what the schemas of 0.8.2 say of what no later release has."""
    asked = [message_judgement for message_judgement in all_judged if _is_old(message_judgement.case, release)]
    return list(
        zip(
            asked,
            OldJudge(jars, build).ask([_old_question(message_judgement.case) for message_judgement in asked]),
            strict=True,
        )
    )


def _is_old(case: MessageCase, release: str) -> bool:
    whole, number = case.shape.whole, case.shape.versions[0]
    is_theirs = _is_theirs(case.shape, number, release)
    return is_theirs and bool(whole.variant_of) and not case.framed and whole.api is not None


def _old_question(case: MessageCase) -> OldQuestion:
    kind: Literal["request", "response"] = "request" if case.shape.whole.kind == "request" else "response"
    return OldQuestion(kind, case.shape.whole.api or 0, case.shape.versions[0], case.data)


def _record_question(case: MessageCase) -> RecordQuestion:
    kind: Literal["key", "value"] = "key" if case.shape.whole.kind == "record_key" else "value"
    return RecordQuestion(kind, case.topic, topic_records.key_number(case), case.data)


def _questions(judge: Judge, release: str, judged: MessageJudgement) -> Iterator[VersionQuestion]:
    """Yield a question for each version that the release may know."""
    case = judged.case
    whole = case.shape.whole
    if case.topic:
        return
    if case.framed:
        kind: Literal["request", "response"] = "request" if whole.kind == "request" else "response"
        is_there = facts.is_there(whole, case.shape.versions[0], facts.minor(release))
        if release in ASKED_ALL and case.has_oracle and is_there:
            yield VersionQuestion(judged, Question("", case.shape.versions[0], case.data, kind, whole.api or 0))
        return
    if not judge.knows(whole.kafka):
        return
    for number in case.shape.versions:
        if _is_theirs(case.shape, number, release):
            theirs = whole.number if whole.kind == "record_key" and facts.minor(release) < _NUMBERED else number
            yield VersionQuestion(judged, Question(whole.kafka, theirs or 0, case.data))


def _is_theirs(shape: Shape, number: int, release: str) -> bool:
    """Tell whether a release is asked about a version.

    It has this layout, and is one that is asked about all, or none of those has it.
    """
    if not _has(shape.whole, number, release):
        return False
    return release in ASKED_ALL or not any(_has(shape.whole, number, other) for other in ASKED_ALL)


def _has(whole: VersionedLayout, number: int, release: str) -> bool:
    """Tell whether a release has a version of a layout, and none that contradicts it."""
    at = facts.minor(release)
    instead = any(
        number in versioned_layout.versions and facts.is_there(versioned_layout, number, at)
        for versioned_layout in _variants(whole.name)
    )
    return facts.is_there(whole, number, at) and not instead


@cache
def _variants(name: str) -> tuple[VersionedLayout, ...]:
    """Return the layouts that some releases have in place of another."""
    return tuple(layout for layout in specification().versioned.values() if layout.variant_of == name)


def _word(judged: MessageJudgement, reply: Reply, *, names: bool) -> str:
    """Return what a reply says."""
    if not reply.was_read:
        return "refused"
    if judged.case.verdict == "invalid":
        return "accepted"
    same = _same_value(judged, reply) if names else True
    if reply.status != Status.NOT_WRITTEN:
        same = same and reply.content == _encode(judged)
    return "accepted" if same else "accepted otherwise"


def _encode(judged: MessageJudgement) -> bytes:
    try:
        return judged.case.encode(judged.value)
    except EncodeError:
        return b"cannot be written"


def _same_value(judged: MessageJudgement, reply: Reply) -> bool:
    if not reply.json:
        return True
    case, decoded = judged.case, judged.value
    if not case.framed or case.topic:
        decoded = decoded.body if case.topic else decoded
        return bool(json.loads(reply.json) == _as_kafka_tells(to_json(case.codec, decoded)))
    ours = [to_json(case.header(decoded), decoded.header), to_json(case.body(decoded), decoded.body)]
    return bool(json.loads(reply.json) == [_as_kafka_tells(part) for part in ours])


def _as_kafka_tells(document: Any) -> Any:
    """Leave out what Kafka's JSON lacks: unknown tagged fields, and the bytes of records."""
    if isinstance(document, list):
        return [_as_kafka_tells(item) for item in document]
    if not isinstance(document, Mapping):
        return document
    fields = {name: _as_kafka_tells(item) for name, item in document.items() if name != _UNKNOWN_TAGS}
    return {name: "" if name in _RECORDS and item is not None else item for name, item in fields.items()}


class OracleLine:
    """What was said, as the file keeps it."""

    def __init__(self, file: Path) -> None:
        """Read the file; no file is an empty record."""
        self._file = file
        self._families: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def knows(self, family: str, cases: Sequence[MessageCase]) -> bool:
        """Tell whether all releases were asked about just the vectors of a file."""
        known = self._families.get(family)
        return known is not None and known["asked"] == digest(cases) and set(known["knows"]) == set(RELEASES)

    def keep(self, family: str, cases: Sequence[MessageCase], said: Mapping[str, Said]) -> None:
        """Keep what the releases said of the vectors of a file."""
        otherwise: dict[str, dict[str, str]] = {}
        for release, words in said.items():
            otherwise[release] = {
                case.id: words[case.id]
                for case in cases
                if case.id in words and words[case.id] != expected_answer(case, release)
            }
        known = {
            release: sorted({case.shape.id for case in cases if case.id in words}) for release, words in said.items()
        }
        self._families[family] = {"asked": digest(cases), "knows": known, "otherwise": otherwise}

    def save(self, families: Iterable[str]) -> None:
        """Write the file, without the families that there are no more."""
        kept = {family: self._families[family] for family in sorted(families)}
        self._file.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")

    def of(self, family: str, cases: Sequence[MessageCase]) -> dict[str, dict[str, str]] | None:
        """Return by vector each release's answer; None if they were asked about other cases.

        A release that knows none of the versions of a vector says nothing.
        """
        if not self.knows(family, cases):
            return None
        known = self._families[family]
        judgements: dict[str, dict[str, str]] = {}
        for case in cases:
            judgements[case.id] = {
                RELEASES[release]: known["otherwise"][release].get(case.id, expected_answer(case, release))
                for release, shapes in known["knows"].items()
                if case.shape.id in shapes and (case.has_oracle or not case.framed)
            }
        return judgements
