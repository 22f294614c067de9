"""Judging of a target's reply to a generated batch, and which batches it can be asked."""

from collections.abc import Sequence
from dataclasses import replace

from kafka_format.spec.rules import rules

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder import judge
from kafka_conformance.kinds.decoder.questions import missing
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.reduction.judged_bytes import JudgedBytes
from kafka_conformance.scale.batches import Batches, Block
from kafka_conformance.vectors.vector import Refusal, Verdict

V07, V2 = "v07", "v2"


def leave_out_undeclared(batches: Batches, hello: Hello, target: str, results: dict[int, Result]) -> Sequence[int]:
    """Return the batches that the target declares to read; the others get their results here."""
    if all(_declares(hello, *sort) for sort in batches.sorts):
        return range(len(batches))
    numbers = []
    for number in range(len(batches)):
        reason = missing(_judged(batches, number), hello)
        if reason:
            results[number] = Result(str(batches.start + number), target, Outcome.UNSUPPORTED, detail=reason)
        else:
            numbers.append(number)
    return numbers


def judge_reply(batches: Batches, number: int, hello: Hello, target: str, reply: Reply | Loss) -> Result:
    """Judge a target's reply to a batch, or how it was lost on it."""
    batch = _judged(batches, number)
    answered = isinstance(reply, Reply) and reply.status in {Status.ANSWER, Status.PARTIAL}
    expected = batches.expected_records(number) if answered and batch.verdict != Verdict.INVALID else ()
    return judge.judge_decode(batch, hello, target, Reaction(number, reply, 0.0), expected)


def judged_batch(block: Block) -> JudgedBytes:
    """Return a block of one batch, with the verdict and the records that are due, if any are."""
    batches = Batches(0, block)
    batch = _judged(batches, 0)
    return batch if batch.verdict is Verdict.INVALID else replace(batch, answer=tuple(batches.expected_records(0)))


def _declares(hello: Hello, version: str, codec: str, fault: str, _rule: str) -> bool:
    """False if a batch of this sort is a gap, or may be one."""
    return version in hello.formats and codec in hello.codecs and (hello.checks_crc or not fault)


def _judged(batches: Batches, number: int) -> JudgedBytes:
    """Return a batch with the verdict; the records that are due are left to whoever needs them."""
    index = batches.start + number
    version, codec, *_ = batches.sort(number)
    fault = batches.block.fault_of(number)
    broken = None if fault.verdict == Verdict.VALID else Refusal(str(rules()[fault.rule].stage), fault.rule, 0)
    return JudgedBytes(
        data=batches.input(number),
        format=version,
        codecs=(codec,),
        verdict=Verdict(fault.verdict),
        fault=broken,
        flag=fault.flag,
        title=fault.doc,
        id=str(index),
    )
