"""The result of one vector: what a target did with it, as a frozen value that reports read.

A result is about one vector, one target and one direction. Its outcome says what kind of thing
happened; the other fields say what exactly. A known failure keeps its outcome and says in `known`
why it is expected, so that one that changes its kind is noticed.
"""

from dataclasses import dataclass, replace
from typing import Final

from kafka_format.records import Record

from kafka_conformance.judging.difference import Difference
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction

ASKED: Final = "requests"
"""How paths begin of what any request of an API must say: `requests.fetch.isolation_level`."""


def produced(request: int) -> str:
    """Return how paths begin that are in one of the requests of a producer."""
    return f"produce[{request}]"


@dataclass(frozen=True, slots=True)
class Result:
    """What one target did with one vector.

    Attributes:
        vector: id of the vector.
        target: name of the target, as in `Target.name`.
        outcome: what kind of thing happened.
        direction: whether the target decoded or encoded.
        detail: the whole story in a sentence or two: the target's error text, the signal that
            killed it, the gap it declares.
        expected: the expected value, short: that of the first differing field, or the rule that the
            bytes break.
        got: what came instead, in the same form.
        path: the first differing field, for example `records[2].timestamp`; empty unless the answer
            is wrong.
        request: of a producer, the number of the request that the path is in.
        seconds: time the target took; a vector that shared a block with others has its share of the
            block.
        known: why this finding is expected, from the known-failures file; empty if it is not known.
        answer: the records that came: what the target decoded, all of it; those before the error of
            a partial answer; or what the reference reads from what the target wrote. None if no
            record came or none could be read.
        error: of an answer that an error ended, the target's text of that error.
        due: how many records were due, if another number came; else None.
        came: how many came then.
        miswritten: what an encoder does that explains it, if one wrong field of its bytes does; as
            a sentence without its subject.
        rule: of bytes that a broker had to refuse and did not, the rule that they break; empty if
            the version of the request forbids them.
        errors: names of the errors by which a broker refused, each once.
        content: of a request or response that was read wrong, all that came; empty if it is long.
    """

    vector: str
    target: str
    outcome: Outcome
    direction: Direction = Direction.DECODE
    detail: str = ""
    expected: str = ""
    got: str = ""
    path: str = ""
    request: int | None = None
    seconds: float = 0.0
    known: str = ""
    answer: tuple[Record, ...] | None = None
    error: str = ""
    due: int | None = None
    came: int | None = None
    miswritten: str = ""
    rule: str = ""
    errors: tuple[str, ...] = ()
    content: bytes = b""

    def differing(self, outcome: Outcome, unlike: Difference, detail: str) -> "Result":
        """Return the result with an outcome, and what differs."""
        path = unlike.path if unlike.request is None else produced(unlike.request) + unlike.path
        result = replace(self, outcome=outcome, detail=detail, path=path, request=unlike.request)
        return replace(result, expected=unlike.expected, got=unlike.got)

    @property
    def is_finding(self) -> bool:
        """True for a disagreement with the specification, known or not."""
        return self.outcome.is_finding
