"""What two findings have in common that come from one bug, where no signature tells: a trait.

A decoder that raises the same error twice, accepts two inputs that one missing check would have
refused, is lost on both, or gets the same field wrong, most likely does one thing wrong.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final, NamedTuple

from kafka_conformance.diagnosis.cause import MET
from kafka_conformance.diagnosis.checks import check, check_of
from kafka_conformance.diagnosis.symptom import LOST, field_of, of_outcome
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector

_CHANGING: Final = re.compile(r"0x[0-9a-fA-F]+|\d+|'[^']*'|\"[^\"]*\"")
"""Numbers and quotations: what an error text says of the bytes at hand."""

_TEXT_LENGTH: Final = 80
_SLUG: Final = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH: Final = 48

_OTHER_LOSSES: Final = {outcome.words for outcome in Outcome if of_outcome(outcome) == LOST}

_LOSSES: Final = {
    Outcome.CRASHED: "crashes",
    Outcome.HUNG: "hangs",
    Outcome.OUT_OF_MEMORY: "takes too much memory",
}
"""Outcomes that one bug may have by turns: a false count that is believed crashes one process, and
keeps another busy."""

_VALID: Final = "valid bytes"

_LESS: Final = "fewer records"
_MORE: Final = "more records"

_ANSWERS: Final = {
    _LESS: "loses records",
    _MORE: "gives records that are not there",
    "records": "gives a wrong number of records",
    "offset": "gives wrong offsets",
    "timestamp": "gives wrong timestamps",
    "timestamp_type": "gives wrong timestamp types",
    "key": "gives wrong keys",
    "value": "gives wrong values",
    "headers": "gives wrong headers",
    "headers.key": "gives wrong keys of headers",
    "headers.value": "gives wrong values of headers",
}

CHECK: Final = "check"
LOSS: Final = "loss"
ERROR: Final = "error"
ANSWER: Final = "answer"


class Trait(NamedTuple):
    """What findings of one bug have in common.

    Attributes:
        kind: `check` for a check that is missing, `loss` where that ends the process, `error` for
            an error text, `answer` for a field that is wrong.
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
    def without_place(self) -> Trait:
        """Return the trait of findings that nothing else explains: a field has several rules."""
        return self._replace(more="") if self.kind == ANSWER else self.loose

    @property
    def is_check(self) -> bool:
        """True if it is a check that is missing, whatever comes of that."""
        return self.kind in {CHECK, LOSS}

    @property
    def id(self) -> str:
        """A stable name for a cause that has no better one."""
        return "/".join(filter(None, (self.kind, _slug(self.about), _slug(self.more))))

    def does(self, outcomes: Collection[Outcome]) -> str:
        """Return what a decoder does that shows it, as a sentence without its subject.

        Args:
            outcomes: those of its findings.
        """
        if self.kind == CHECK:
            return check(self.about).does
        if self.kind == LOSS:
            on = "bytes that are right" if self.about == _VALID else check(self.about).wrong
            return f"{' or '.join(verb for outcome, verb in _LOSSES.items() if outcome in outcomes)} on {on}"
        if self.kind == ANSWER:
            return _ANSWERS.get(self.about, f"gives a wrong {self.about}")
        if self.about in _OTHER_LOSSES:
            return self.about
        return f"fails with: {self.about}" if self.about else "fails, and does not say why"


def trait_of(result: Result, vector: Vector) -> Trait:
    """Return the trait of a finding."""
    met = "met" if vector.reach in MET else ""
    if vector.fault is not None and result.outcome in {Outcome.ACCEPTED_INVALID, Outcome.WRONG_ANSWER}:
        return Trait(CHECK, check_of(vector.fault.rule).id, met)
    if result.outcome is Outcome.WRONG_ANSWER:
        return Trait(ANSWER, _wrong(result), next(iter(vector.rules), ""))
    if result.outcome in _LOSSES:
        return Trait(LOSS, check_of(vector.fault.rule).id if vector.fault else _VALID)
    if of_outcome(result.outcome) == LOST:
        return Trait(ERROR, result.outcome.words, next(iter(vector.rules), ""))
    return Trait(ERROR, _text(result.error or result.detail), next(iter(vector.rules), ""))


def _wrong(result: Result) -> str:
    """Return what is wrong with an answer: the number of records, or else the first field."""
    if result.due is None or result.came is None:
        return field_of(result.path)
    return _LESS if result.came < result.due else _MORE


def _text(error: str) -> str:
    """Return an error text without what changes from input to input."""
    return _CHANGING.sub("*", error.partition("\n")[0])[:_TEXT_LENGTH].strip()


def _slug(text: str) -> str:
    return _SLUG.sub("-", text.lower()).strip("-")[:_SLUG_LENGTH].strip("-")
