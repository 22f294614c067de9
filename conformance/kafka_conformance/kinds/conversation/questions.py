"""Conversations, as they are put to a client."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kafka_conformance.kinds.conversation.script import Conversation, Step, Telling
from kafka_conformance.kinds.conversation.shapes import check_shape
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.vectors import json_answers, loader
from kafka_conformance.vectors.conversations import FAMILY
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.vector import Subject, Vector

PRODUCER: Final = "producer"
"""The kind of clients that write."""

_PATIENCE: Final = 3.0


def load(filters: Filters) -> Sequence[Vector]:
    """Return the conversations that are chosen."""
    return filters.of(Source.CONVERSATIONS).keep(loader.of_family(FAMILY))


def questions(chosen: Iterable[Vector]) -> Sequence[Conversation]:
    """Return the conversations among vectors."""
    return [conversation(vector) for vector in chosen if vector.subject is Subject.CONVERSATION]


def is_due(asked: Conversation, hello: Hello) -> bool:
    """Tell whether a conversation is one with this kind of client."""
    return (asked.client == PRODUCER) is (hello.kind == PRODUCER)


def gap(asked: Conversation, hello: Hello) -> str:
    """Say what a client lacks for a conversation; empty if it can take part.

    One without that setting waits as long as it does.
    """
    if hello.settings is None:
        return "takes part in no conversations"
    if asked.client != PRODUCER and asked.isolation not in hello.isolations:
        return f"has no isolation level {asked.isolation}"
    missing = [name for name in asked.needs if name not in _known_settings(asked, hello)]
    return f"has no setting for {', '.join(missing)}" if missing else ""


def _known_settings(asked: Conversation, hello: Hello) -> set[str]:
    """Return what can be set, whether it is declared or not.

    Every client with groups is set to where a group begins that has committed nothing.
    """
    of_groups = {"reset"} if "group" in asked.settings else set()
    return {*(hello.settings or ()), *of_groups, "timeout"}


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
        steps=tuple(map(_step, document["steps"])),
        telling=Telling(expected["error"]),
        position=None if position is None else int(position),
        records=expected_records,
        must=document["must"],
        patience=document.get("patience", _PATIENCE),
        client=document.get("client", "consumer"),
        does=tuple(document.get("does", ())),
        log=tuple(tuple(values) for values in expected.get("log", ())),
        told=tuple(expected.get("told", ())),
        untold=tuple(expected.get("untold", ())),
        closing=expected.get("closing", {}),
    )


def _step(said: Mapping[str, Any]) -> Step:
    step = Step(**{**said, "before_next": tuple(said.get("before_next", ()))})
    for shape in (step.when, *step.then, *step.never, *step.asks.values()):
        check_shape({name: value for name, value in shape.items() if name not in {"at_most", "member"}})
    return step
