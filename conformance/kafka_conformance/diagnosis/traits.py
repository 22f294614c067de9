"""What two findings have in common that come from one bug, where no signature tells: a trait.

A decoder that raises the same error twice, accepts two inputs that one missing check would have
refused, or gets the same field wrong under the same rule, most likely does one thing wrong.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from kafka_conformance.diagnosis.cause import MET
from kafka_conformance.diagnosis.checks import check, check_of
from kafka_conformance.diagnosis.symptom import LOST, field_of, of_outcome
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector

_CHANGING: Final = re.compile(r"0x[0-9a-fA-F]+|\d+|'[^']*'|\"[^\"]*\"")
"""Numbers and quotations: what an error text says of the bytes at hand."""

_BEFORE: Final = re.compile(r"^[\d,]+ records?, then: ")
_TEXT_LENGTH: Final = 80
_SLUG: Final = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH: Final = 48

_LOSSES: Final = {outcome.words for outcome in Outcome if of_outcome(outcome) == LOST}

CHECK: Final = "check"
ERROR: Final = "error"
ANSWER: Final = "answer"


class Trait(NamedTuple):
    """What findings of one bug have in common.

    Attributes:
        kind: `check` for a check that is missing, `error` for an error text, `answer` for a field
            that is wrong.
        about: the check, the text, or the field.
        more: what else has to be the same.
    """

    kind: str
    about: str
    more: str = ""

    @property
    def loose(self) -> Trait:
        """Return the trait without what may differ: one error has several rules."""
        return self._replace(more="") if self.kind == ERROR else self

    @property
    def is_check(self) -> bool:
        """True if it is a check that is missing."""
        return self.kind == CHECK

    @property
    def id(self) -> str:
        """A stable name for a cause that has no better one."""
        return "/".join(filter(None, (self.kind, _slug(self.about), _slug(self.more))))

    @property
    def does(self) -> str:
        """What a decoder does that shows it, as a sentence without its subject."""
        if self.is_check:
            return check(self.about).does
        if self.kind == ANSWER:
            what = "number of records" if self.about == "records" else self.about
            return f"gets the {what} wrong; {self.more}"
        if self.about in _LOSSES:
            return f"is lost: it {self.about}"
        return f"fails with: {self.about}" if self.about else "fails, and does not say why"


def trait_of(result: Result, vector: Vector) -> Trait:
    """Return the trait of a finding."""
    met = "met" if vector.reach in MET else ""
    if vector.fault is not None and result.outcome in {Outcome.ACCEPTED_INVALID, Outcome.WRONG_ANSWER}:
        return Trait(CHECK, check_of(vector.fault.rule).id, met)
    if result.outcome is Outcome.WRONG_ANSWER:
        return Trait(ANSWER, field_of(result.path), next(iter(vector.rules), ""))
    if of_outcome(result.outcome) == LOST:
        rule = vector.fault.rule if vector.fault else next(iter(vector.rules), "")
        return Trait(ERROR, result.outcome.words, rule)
    return Trait(ERROR, _text(result.detail), next(iter(vector.rules), ""))


def _text(detail: str) -> str:
    """Return an error text without what changes from input to input."""
    return _CHANGING.sub("*", _BEFORE.sub("", detail.partition("\n")[0]))[:_TEXT_LENGTH].strip()


def _slug(text: str) -> str:
    return _SLUG.sub("-", text.lower()).strip("-")[:_SLUG_LENGTH].strip("-")
