"""The conversations of this distribution, loaded and checked against their schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from kafka_format.records import Record
from kafka_format.spec import data

from kafka_conformance import schemas
from kafka_conformance.kinds.conversation.script import FAMILY, Conversation, Step, Telling
from kafka_conformance.vectors import golden, json_answers
from kafka_conformance.vectors.vector import Reach, Vector, Verdict

FOLDER: Final = "conversations"

_PATIENCE: Final = 3.0


@cache
def conversations() -> Mapping[str, Conversation]:
    """Return all conversations by id, in the order of file and line.

    Raises:
        UsageError: a file is wrong.
    """
    files = sorted((data.path("vectors") / FOLDER).glob("*.jsonl"))
    texts = [(file.name, text) for file in files for text in file.read_text(encoding="utf-8").splitlines()]
    scripts = [conversation(json.loads(text), f"vectors/{FOLDER}/{name}") for name, text in texts]
    return {script.vector.id: script for script in scripts}


def vectors(patterns: Sequence[str] = ()) -> tuple[Vector, ...]:
    """Return the conversations as vectors, for choosing and for reports.

    Args:
        patterns: only those whose id matches one of these; empty for all.
    """
    return golden.select((script.vector for script in conversations().values()), patterns=patterns)


def conversation(document: Mapping[str, Any], place: str) -> Conversation:
    """Read one conversation; `place` is where it stands, for the error.

    Raises:
        UsageError: it does not fit spec/schema/conversation.schema.json.
    """
    schemas.check(document, "conversation", f"{place}: {document.get('id')}")
    expected = document["expect"]
    expected_records = tuple(json_answers.from_json(expected["records"]))
    position = expected.get("position")
    return Conversation(
        vector=_vector(document, expected_records),
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


def _vector(document: Mapping[str, Any], expected: Sequence[Record]) -> Vector:
    return Vector(
        id=document["id"],
        title=document["title"],
        format="v2",
        family=FAMILY,
        formats=("v2",),
        codecs=("none",),
        rules=(),
        verdict=Verdict.VALID,
        data=bytes.fromhex(document["hex"]),
        answer=tuple(json_answers.to_json(expected)),
        reach=Reach(document["reach"]["from"]),
        evidence=document["reach"]["evidence"],
        provenance={"source": document["source"]},
        oracle=dict.fromkeys((name.removeprefix("kafka-clients ") for name in document.get("oracle", ())), "accepted"),
        document=document,
    )
