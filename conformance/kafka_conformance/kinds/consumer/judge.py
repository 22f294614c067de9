"""Judging of a consumer: the records that its application got, and where the consumer goes on."""

from dataclasses import replace

from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.consumer.questions import View
from kafka_conformance.kinds.consumer.served_topic import DeliveryReaction
from kafka_conformance.kinds.decoder.judge import judge_decode
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.vectors.vector import Verdict


def judge_delivery(view: View, hello: Hello, target: str, reaction: DeliveryReaction) -> Result:
    """Compare what an application got with what a consumer must deliver.

    Records that are right are not enough: a consumer that stays in front of what it has read never
    gets to what comes after, and one that is further has lost it.
    """
    result = judge_decode(view.vector, hello, target, reaction, view.records)
    if result.outcome is not Outcome.PASSED or view.vector.verdict is not Verdict.VALID:
        return result
    if reaction.next_offset is None or reaction.next_offset in view.next_offsets:
        return result
    (expected,) = view.next_offsets
    detail = f"it goes on at {reaction.next_offset}, not at {expected}"
    wrong = replace(result, outcome=Outcome.WRONG_ANSWER, detail=detail)
    return replace(wrong, path="next_offset", expected=str(expected), got=str(reaction.next_offset))
