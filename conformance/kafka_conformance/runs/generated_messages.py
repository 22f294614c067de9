"""Requests and responses by the million, made by the sampler, put to targets that read them."""

from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, Final

from kafka_format import protocol
from kafka_format.codec.versions import version
from kafka_format.sampler import exchanges
from kafka_format.sampler.exchanges import Exchange

from kafka_conformance.child.launch import Limits
from kafka_conformance.judging.messages import MessageQuestion
from kafka_conformance.runs.messages import MessageRun, asking
from kafka_conformance.targets.contestant import Contestant
from kafka_conformance.vectors import protocol_values
from kafka_conformance.vectors.golden import Verdict
from kafka_conformance.vectors.protocol import ProtocolVector

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
    questions = (_question(profile, seed, one) for one in drawn)
    with asking(contestant, limits) as (before, put):
        found = before
        while put is not None and not found.problem and len(found.results) < _MOST_FINDINGS:
            portion = list(islice(questions, _PORTION))
            if not portion:
                break
            problem, results = put(portion)
            kept = tuple(result for result in results if result.is_finding)
            passed = found.passed + len(results) - len(kept)
            found = replace(found, problem=problem, results=(*found.results, *kept), passed=passed)
        return found


def _question(profile: str, seed: int, one: Exchange) -> MessageQuestion:
    """Return what was drawn as a question; its id says how to draw it again."""
    kind = PROFILES[profile]
    name = protocol.api_name(one.api)
    header, body = _codecs(kind, one.api, one.version)
    read, _ = header.read(one.data)
    value = {
        "version": one.version,
        "header": protocol_values.to_json(header.layout, read),
        "body": protocol_values.to_json(body.layout, one.body),
    }
    vector = ProtocolVector(
        id=f"{profile}/{seed}/{one.number}/{name}-{one.version}",
        title=f"{name} {kind}, version {one.version}, drawn",
        family=name,
        kind=f"framed_{kind}",
        layout=f"{name}_{kind}",
        message="",
        versions=(one.version,),
        rules=(),
        verdict=Verdict.VALID,
        data=one.data,
        api=one.api,
        value=value,
        canonical=True,
    )
    return MessageQuestion(vector, one.version)


@cache
def _codecs(kind: exchanges.Kind, api: int, number: int) -> tuple[Any, Any]:
    header = version(f"{kind}_header", protocol.header_version(api, number, kind))
    return header, version(f"{protocol.api_name(api)}_{kind}", number)
