"""Conversations, as they are put to a client."""

from __future__ import annotations

from typing import Final

from kafka_conformance.kinds.conversation.script import Conversation, Step, Telling
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector

_PATIENCE: Final = 3.0


def conversation(vector: Vector) -> Conversation:
    """Return the conversation that a vector describes."""
    document = vector.document
    expected = document["expect"]
    expected_records = tuple(json_answers.from_json(expected["records"]))
    position = expected.get("position")
    return Conversation(
        vector=vector,
        fetch_offset=int(document["fetch_offset"]),
        first_offset=int(document["first_offset"]),
        isolation=document["isolation"],
        aborted=tuple((int(producer), int(first)) for producer, first in document["aborted"]),
        settings=document["settings"],
        versions={api: (low, high) for api, (low, high) in document["versions"].items()},
        broker=document["broker"],
        steps=tuple(Step(**{**step, "before_next": tuple(step.get("before_next", ()))}) for step in document["steps"]),
        telling=Telling(expected["error"]),
        position=None if position is None else int(position),
        records=expected_records,
        must=document["must"],
        patience=document.get("patience", _PATIENCE),
    )
