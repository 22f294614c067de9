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
from kafka_conformance.scale.batches import Batches, Block
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Refusal, Vector, Verdict

V07, V2 = "v07", "v2"


def leave_out_undeclared(batches: Batches, hello: Hello, target: str, results: dict[int, Result]) -> Sequence[int]:
    """Return the batches that the target declares to read; the others get their results here."""
    if all(_declares(hello, *sort) for sort in batches.sorts):
        return range(len(batches))
    numbers = []
    for number in range(len(batches)):
        reason = missing(_vector(batches, number), hello)
        if reason:
            results[number] = Result(str(batches.start + number), target, Outcome.UNSUPPORTED, detail=reason)
        else:
            numbers.append(number)
    return numbers


def judge_reply(batches: Batches, number: int, hello: Hello, target: str, reply: Reply | Loss) -> Result:
    """Judge a target's reply to a batch, or how it was lost on it."""
    vector = _vector(batches, number)
    answered = isinstance(reply, Reply) and reply.status in {Status.ANSWER, Status.PARTIAL}
    expected = batches.expected_records(number) if answered and vector.verdict != Verdict.INVALID else ()
    return judge.judge_decode(vector, hello, target, Reaction(number, reply, 0.0), expected)


def vector_of(block: Block) -> Vector:
    """A block of one batch as `judge` takes it, with its answer if it has one."""
    batches = Batches(0, block)
    vector = _vector(batches, 0)
    if vector.verdict is Verdict.INVALID:
        return vector
    return replace(vector, answer=tuple(json_answers.to_json(batches.expected_records(0))))


def _declares(hello: Hello, version: str, codec: str, fault: str, _rule: str) -> bool:
    """False if a batch of this sort is a gap, or may be one."""
    return version in hello.formats and codec in hello.codecs and (hello.checks_crc or not fault)


def _vector(batches: Batches, number: int) -> Vector:
    """A batch as `judge` takes it; the answer is left to whoever needs it."""
    index = batches.start + number
    version, codec, *_ = batches.sort(number)
    fault = batches.block.fault_of(number)
    broken = None if fault.verdict == Verdict.VALID else Refusal(str(rules()[fault.rule].stage), fault.rule, 0)
    return Vector(
        id=str(index),
        title=fault.doc,
        format=version,
        family="scale",
        formats=(version,),
        codecs=(codec,),
        rules=(fault.rule,),
        verdict=Verdict(fault.verdict),
        data=batches.input(number),
        flag=fault.flag,
        fault=broken,
    )
