"""Requests and responses by the million, made by the sampler, put to targets that read them."""

from dataclasses import replace
from itertools import islice
from typing import Final

from kafka_format import protocol
from kafka_format.sampler import exchanges
from kafka_format.sampler.exchanges import Exchange

from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.message.questions import MessageQuestion, frame_question
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run.messages import MessageRun, asking
from kafka_conformance.targets.contestant import Contestant

PROFILES: Final[dict[str, exchanges.Kind]] = {"requests": "request", "responses": "response"}
"""What is made, by the name of a profile."""

_PORTION: Final = 2000
"""Questions that are made at a time."""

_MOST_FINDINGS: Final = 10_000
"""Findings that are kept; behind them the target is not asked any more."""


def run(contestant: Contestant, profile: str, limits: Limits, *, seed: int, start: int, count: int) -> MessageRun:
    """Put what the sampler makes to a target; never raises for what it does.

    What passes is counted, findings are kept.

    Args:
        contestant: the target.
        profile: `requests` or `responses`.
        limits: of the target.
        seed: the seed.
        start: index of the first.
        count: how many.
    """
    drawn = exchanges.draw(PROFILES[profile], seed=seed, start=start, count=count)
    questions = (question(profile, seed, index) for index in drawn)
    with asking(contestant, limits) as (before, put):
        message_run = before
        while put is not None and not message_run.problem and len(message_run.results) < _MOST_FINDINGS:
            portion = list(islice(questions, _PORTION))
            if not portion:
                break
            problem, results = put(portion)
            kept = tuple(result for result in results if result.is_finding or result.outcome is Outcome.NOT_ASKED)
            passed = message_run.passed + len(results) - len(kept)
            message_run = replace(message_run, problem=problem, results=(*message_run.results, *kept), passed=passed)
        return message_run


def question(profile: str, seed: int, exchange: Exchange) -> MessageQuestion:
    """Return what was drawn as a question; its id says how to draw it again."""
    id_ = f"{profile}/{seed}/{exchange.number}/{protocol.api_name(exchange.api)}-{exchange.version}"
    return frame_question(id_, PROFILES[profile], exchange.api, exchange.version, exchange.data)
