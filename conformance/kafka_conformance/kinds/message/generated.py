"""Requests and responses that the sampler makes, as questions."""

from typing import Final

from kafka_format import protocol
from kafka_format.sampler import exchanges
from kafka_format.sampler.exchanges import Exchange

from kafka_conformance.kinds.message.questions import MessageQuestion, frame_question

PROFILES: Final[dict[str, exchanges.Kind]] = {"requests": "request", "responses": "response"}
"""What is made, by the name of a profile."""


def question(profile: str, seed: int, exchange: Exchange) -> MessageQuestion:
    """Return what was drawn as a question; its id says how to draw it again."""
    id_ = f"{profile}/{seed}/{exchange.number}/{protocol.api_name(exchange.api)}-{exchange.version}"
    return frame_question(id_, PROFILES[profile], exchange.api, exchange.version, exchange.data)
