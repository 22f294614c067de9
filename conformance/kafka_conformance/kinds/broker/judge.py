"""Judging of a broker: what it appended of a vector, what it refused, and what it served again.

One vector is sent in several versions of Produce and fetched in several of Fetch, and makes one
result: the worst of them, with the story of all.

- what Kafka's LogValidator appends must be appended, and served as it says: offsets, leader epoch,
  timestamps, format and codec;
- what it refuses must be refused, with the error that Kafka answers, unless the flag of the vector
  says that Kafka overlooks the fault;
- a batch of a producer id that comes again must be acknowledged with its offset, and not be
  appended once more.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from kafka_format.broker.offsets import Assigned

from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.broker import kept
from kafka_conformance.kinds.broker.connection import error_name
from kafka_conformance.kinds.broker.expected import Refused, expected_append, expected_content
from kafka_conformance.kinds.broker.known_errors import known_errors
from kafka_conformance.kinds.broker.questions import Question
from kafka_conformance.kinds.broker.replies import Append, AppendReaction, FetchReply
from kafka_conformance.kinds.broker.versions import served_magic
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello

_WORST_FIRST: Final = (
    Outcome.CRASHED,
    Outcome.HUNG,
    Outcome.BROKEN_PROTOCOL,
    Outcome.WRONG_ANSWER,
    Outcome.ACCEPTED_INVALID,
    Outcome.REFUSED_VALID,
    Outcome.UNSUPPORTED,
    Outcome.PASSED,
)

_NO_TRANSACTION: Final = {47, 48, 49, 53, 59, 120}
"""Errors by which a broker refuses a batch of a transaction that nobody began."""

_OFFSETS: Final = {"offset", "base_offset"}
"""What a broker writes into everything, and what may happen to be there already."""

_SAME: Final = 46
"""DUPLICATE_SEQUENCE_NUMBER: to producers as good as an acknowledgement."""


class _Look(NamedTuple):
    """What came of one version of Produce."""

    version: int
    outcome: Outcome
    words: str
    difference: Difference = Difference("", "", "")
    rule: str = ""
    error: str = ""

    @property
    def is_error_code(self) -> bool:
        """True if only an error code is wrong: what is stored and served says more."""
        return self.difference.path.endswith("error_code")


def judge_appends(question: Question, hello: Hello, target: str, reaction: AppendReaction) -> Result:
    """Compare what a broker did with a vector with what Kafka's brokers do.

    Args:
        question: what was sent.
        hello: what the broker declares, which decided which versions it was asked.
        target: its name.
        reaction: what it did.
    """
    identity = question.vector.id
    if reaction.gap:
        return Result(identity, target, Outcome.UNSUPPORTED, detail=reaction.gap, seconds=reaction.seconds)
    known = known_errors(identity, hello.name, hello.version)
    looks = [_look(question, append, reaction.appends[0], known) for append in reaction.appends]
    worst = min(looks, key=lambda look: (_WORST_FIRST.index(look.outcome), look.is_error_code))
    errors = tuple(dict.fromkeys(look.error for look in looks if look.error))
    result = Result(identity, target, worst.outcome, seconds=reaction.seconds, rule=worst.rule, errors=errors)
    return result.differing(worst.outcome, worst.difference, _story(looks, worst))


def _look(question: Question, append: Append, first: Append, errors: frozenset[str]) -> _Look:
    number = append.version
    if append.loss is not None:
        return _Look(number, append.loss.outcome, append.loss.detail)
    expected, flags = expected_append(question, append), frozenset({question.vector.flag} - {""})
    if append.error:
        return _judge_refused(question, append, expected, errors)
    if isinstance(expected, Refused) and flags:
        expected = expected_append(question, append, flags)
    if isinstance(expected, Refused):
        return _judge_accepted(append, expected)
    if append.is_repeated and not first.error and first.base_offset != append.base_offset:
        words = "appended once more, although the producer's sequence is the same"
        unlike = Difference("base_offset", str(first.base_offset), str(append.base_offset))
        return _Look(number, Outcome.WRONG_ANSWER, words, unlike)
    passed = _Look(number, Outcome.PASSED, _kept_words(expected, append))
    wrong = [look for look in _judge_served(append, expected, flags) if look.outcome is not Outcome.PASSED]
    return min(wrong, key=lambda look: look.is_error_code, default=passed)


def _judge_accepted(append: Append, expected: Refused) -> _Look:
    """Tell of what must be refused and was not."""
    if append.base_offset < 0:
        return _Look(append.version, Outcome.PASSED, "acknowledged, and nothing appended")
    unlike = Difference("", f"refused, because of {expected.rule}" if expected.rule else "refused", "appended")
    return _Look(
        append.version, Outcome.ACCEPTED_INVALID, f"appended, although {expected.words}", unlike, expected.rule
    )


def _judge_refused(question: Question, append: Append, expected: Assigned | Refused, errors: frozenset[str]) -> _Look:
    name = error_name(append.error)
    words = f"refused with {name}" + (f" ({append.message})" if append.message else "")
    if question.is_transactional and append.error in _NO_TRANSACTION:
        return _Look(append.version, Outcome.UNSUPPORTED, f"of a transaction that nobody began: {words}")
    if append.is_repeated and append.error == _SAME:
        return _Look(append.version, Outcome.PASSED, words, error=name)
    if isinstance(expected, Refused):
        if not errors or name in errors:
            return _Look(append.version, Outcome.PASSED, words, error=name)
        unlike = Difference("error_code", " or ".join(sorted(errors)), name)
        return _Look(append.version, Outcome.WRONG_ANSWER, words, unlike, error=name)
    return _Look(append.version, Outcome.REFUSED_VALID, words, Difference("", "appended", name), error=name)


def _judge_served(append: Append, expected: Assigned, flags: frozenset[str]) -> Iterator[_Look]:
    """Yield what is to be said of each fetch."""
    for got in append.fetches:
        if got.loss is not None:
            yield _Look(append.version, got.loss.outcome, got.loss.detail)
            continue
        wanted = expected_content(expected, got, flags)
        if isinstance(wanted, Refused):
            if not got.error and got.data:
                words = f"Fetch {got.version} serves it, although {wanted.words}"
                yield _Look(append.version, Outcome.ACCEPTED_INVALID, words, Difference("", "refused", "served"))
        elif got.error:
            yield _judge_unserved(append, got)
        else:
            yield _compare(append, expected, got, wanted)


def _judge_unserved(append: Append, got: FetchReply) -> _Look:
    name = error_name(got.error)
    unlike = Difference(f"fetch[{got.version}].error_code", "NONE", name)
    return _Look(append.version, Outcome.WRONG_ANSWER, f"appended, and Fetch {got.version} answers {name}", unlike)


def _compare(append: Append, expected: Assigned, got: FetchReply, wanted: bytes) -> _Look:
    is_anew = not expected.in_place or wanted != expected.data
    unlike = kept.difference(wanted, got.data, is_anew=is_anew)
    if unlike is None:
        return _Look(append.version, Outcome.PASSED, "")
    words = f"appended, and Fetch {got.version} serves {unlike.path} {unlike.got}, not {unlike.expected}"
    return _Look(append.version, Outcome.WRONG_ANSWER, words, unlike)


def _kept_words(expected: Assigned, append: Append) -> str:
    """Say what a broker did with what it appended."""
    if append.is_repeated:
        return "acknowledged again, with the same offset"
    if expected.in_place:
        changed = [name for name in expected.changed if name not in _OFFSETS]
        did = f"appended, {', '.join(changed)} changed" if changed else "appended as it came"
    else:
        did = "appended, written anew"
        if append.magic != (2 if append.version > 2 else append.version // 2):
            did += f" as v{append.magic}"
    converted = [fetched.version for fetched in append.fetches if served_magic(fetched.version) < append.magic]
    return f"{did}; converted for Fetch {_ranges(converted)}" if converted else did


def _story(looks: Sequence[_Look], worst: _Look) -> str:
    """Tell what came of all versions, the worst first; nothing of versions if all are alike."""
    parts = [(words, [look.version for look in group]) for words, group in _alike(looks)]
    parts.sort(key=lambda pair: pair[0] != worst.words)
    return "; ".join(f"Produce {_ranges(versions)}: {words}" for words, versions in parts)


def _alike(looks: Iterable[_Look]) -> Iterator[tuple[str, list[_Look]]]:
    groups: dict[str, list[_Look]] = {}
    for look in looks:
        groups.setdefault(look.words, []).append(look)
    yield from groups.items()


def _ranges(numbers: Sequence[int]) -> str:
    """Write numbers as ranges: `3 to 6, 9`."""
    ranges = []
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        ranges.append(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}")
    return ", ".join(ranges)
