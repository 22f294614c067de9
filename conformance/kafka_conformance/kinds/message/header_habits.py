"""Headers taken for those of another version, in whatever message: the body then begins elsewhere.

Which header a message has follows from its API and version (KIP-482), and two APIs have one of
their own. A library that has it wrong misreads a hundred messages; that is one bug, and not one a
message. Each habit reads every vector that it is about. A target shows it that gets the same ones
wrong, and gives the same wrong answers; or that refuses them all, and reads what is as flexible and
has another header.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from kafka_format import protocol
from kafka_format.codec import compiler
from kafka_format.errors import FormatError
from kafka_format.spec.layout import specification

from kafka_conformance.kinds.message.wrong_answers import (
    REFUSED,
    Manner,
    Probe,
    api_of,
    is_request_or_response,
    moved_difference,
)
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Verdict

_SAME: Final = 0.9
"""The share of vectors that a habit has to fail or pass as the target does."""

_TELLING: Final = 3
"""So many wrong answers have to be the very ones that the habit gives: all refusals are alike."""


class HeaderHabit(NamedTuple):
    """A header that is taken for another.

    Attributes:
        id: name of the cause.
        does: what a library does that has the habit, as a sentence without its subject.
        kind: `request` or `response`.
        right: the version of the header that messages have which this is about.
        wrong: the version that it is taken for.
        api: the only API that this is about; empty for all.
        fewest: so many messages show the habit.
        is_flexible: whether this is about flexible versions alone.
        has_compact_client: whether the client id is taken for a compact string.
    """

    id: str
    does: str
    kind: str
    right: int
    wrong: int
    api: str = ""
    fewest: int = 3
    is_flexible: bool = True
    has_compact_client: bool = False


HABITS: Final = (
    HeaderHabit(
        "message/response-header-without-tags",
        "reads no tagged fields in the header of flexible responses (header 0 for 1), so their bodies a byte early",
        "response",
        1,
        0,
    ),
    HeaderHabit(
        "message/request-header-without-tags",
        "reads no tagged fields in the header of flexible requests (header 1 for 2), so their bodies a byte early",
        "request",
        2,
        1,
    ),
    HeaderHabit(
        "message/request-header-with-compact-client-id",
        "takes the client id in the header of flexible requests for a compact string, which it is not in any version",
        "request",
        2,
        2,
        has_compact_client=True,
    ),
    HeaderHabit(
        "message/response-header-with-tags",
        "reads tagged fields in the header of all responses, also of versions that are not flexible, which have none",
        "response",
        0,
        1,
        is_flexible=False,
    ),
    HeaderHabit(
        "message/request-header-with-tags",
        "reads tagged fields in the header of all requests, also of versions that are not flexible, which have none",
        "request",
        1,
        2,
        is_flexible=False,
    ),
    HeaderHabit(
        "message/api-versions-header-with-tags",
        "reads tagged fields in the header of the response of ApiVersions, which has none in any version (KIP-511)",
        "response",
        0,
        1,
        "api_versions",
        1,
    ),
    HeaderHabit(
        "message/controlled-shutdown-header-with-client-id",
        "reads a client id in the header of ControlledShutdown 0, which has none",
        "request",
        0,
        1,
        "controlled_shutdown",
        1,
        is_flexible=False,
    ),
)


class ShownHeader(NamedTuple):
    """A habit that a target has, and the ids of the vectors that it explains."""

    habit: HeaderHabit
    vectors: frozenset[str]


def shown_headers(asked: Iterable[Probe], target: Manner) -> Iterator[ShownHeader]:
    """Yield the habits that a target shows, each with what it explains.

    Args:
        asked: all vectors that were put to the target, and what came of them.
        target: how it answers; who only takes or refuses tells too little.
    """
    if target.form == "verdict":
        return
    kept = [question for question in asked if _tells(question)]
    explained: set[str] = set()
    for habit in HABITS:
        about = [question for question in kept if _is_about(habit, question) and question.vector.id not in explained]
        for way in target.ways():
            said = {question.vector.id: _said(habit, question, way) for question in about}
            others = [each for each in kept if each.vector.id not in said and _tells_header(habit, each)]
            if about and _is_shown(habit, about, said, others):
                names = frozenset(each.vector.id for each in about if each.fails and said[each.vector.id])
                explained |= names
                yield ShownHeader(habit, names)
                break


def _tells_header(habit: HeaderHabit, asked: Probe) -> bool:
    """Tell whether a message with another header shows that it is the header, and not the body."""
    return _is_flexible(asked) or not (habit.is_flexible or habit.api)


def _tells(asked: Probe) -> bool:
    was_read = asked.result.outcome.was_asked and asked.vector.verdict is not Verdict.INVALID
    return was_read and is_request_or_response(asked.vector)


def _is_shown(
    habit: HeaderHabit, about: list[Probe], said: dict[str, tuple[str, str] | None], others: list[Probe]
) -> bool:
    """Tell whether a target gets wrong what a habit gets wrong, and in the same way."""
    valid = [question for question in about if question.vector.verdict is Verdict.VALID]
    same = sum(question.fails == (said[question.vector.id] is not None) for question in valid)
    families = {question.vector.family for question in valid if question.fails}
    if len(families) < habit.fewest or same < _SAME * len(valid):
        return False
    wrong = [
        question
        for question in valid
        if question.result.outcome is Outcome.WRONG_ANSWER and said[question.vector.id] != REFUSED
    ]
    alike = sum(said[question.vector.id] == (question.result.path, question.result.got) for question in wrong)
    if len(wrong) >= _TELLING:
        return alike >= _SAME * len(wrong)
    failing = [question for question in valid if question.fails]
    refused = sum(question.result.outcome is Outcome.REFUSED_VALID for question in failing)
    read = sum(not question.fails for question in others)
    is_refused = refused >= _SAME * len(failing) and alike == len(wrong)
    return is_refused and len(others) >= _TELLING and read >= _SAME * len(others)


def _is_about(habit: HeaderHabit, asked: Probe) -> bool:
    api, kind = api_of(asked.vector), asked.vector.format
    if kind != habit.kind or (habit.api and protocol.api_name(api) != habit.api):
        return False
    right = protocol.header_version(api, asked.version, "request" if kind == "request" else "response")
    return right == habit.right and (not habit.is_flexible or _is_flexible(asked))


def _is_flexible(asked: Probe) -> bool:
    layout = specification().versioned[f"{protocol.api_name(api_of(asked.vector))}_{asked.vector.format}"]
    return asked.version in layout.flexible


_CLIENT: Final = 8
"""Where the client id begins in the header of a request: behind API, version and correlation id."""


def _compact_end(data: bytes) -> int:
    """Return where the body begins for whom the client id is a compact string, and tags follow."""
    size = data[_CLIENT] if len(data) > _CLIENT else 0
    end = _CLIENT + 1 + max(size - 1, 0)
    return min(end + 1, len(data))


def _said(habit: HeaderHabit, asked: Probe, target: Manner) -> tuple[str, str] | None:
    """Return how the answer of who has a habit differs, and what it is; None if it is right."""
    header = compiler.version(f"{habit.kind}_header", habit.wrong)
    try:
        size = (
            _compact_end(asked.vector.data)
            if habit.has_compact_client
            else header.read(asked.vector.data, flags=asked.flags)[1]
        )
    except FormatError:
        return REFUSED
    return moved_difference(asked, size, target)
