"""An asker without a target: what fails is up to a function."""

from collections.abc import Callable

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder.questions import DecodeCase
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import CODECS, FIELDS, Hello
from kafka_conformance.reduction.asker import Asker

HELLO = Hello("scripted", "1", "Python", ("v07", "v0", "v1", "v2"), CODECS, FIELDS, checks_crc=True)


class Scripted(Asker):
    """Has the outcome that the function gives for bytes and the seconds that there are for them."""

    def __init__(self, outcome: Callable[[bytes, float], Outcome], seconds: float = 10) -> None:
        super().__init__("scripted", Command(("no-such-program",)), Limits(seconds=seconds))
        self._outcome = outcome

    @property
    def hello(self) -> Hello:
        return HELLO

    def ask(self, case: DecodeCase) -> Result:
        self.calls += 1
        return Result("", "scripted", self._outcome(case.data, self.seconds))
