"""The Kafka binding of the CloudEvents SDK for Python, behind adapter protocol 1."""

from datetime import datetime
from importlib.metadata import version
from typing import Any

from cloudevents.core.bindings.kafka import KafkaMessage, from_kafka
from cloudevents.core.formats.json import JSONFormat
from serde import Question, serve


def read(question: Question) -> dict[str, Any]:
    """Read an event in binary mode."""
    headers = {name: value or b"" for name, value in question.headers}
    event = from_kafka(KafkaMessage(headers=headers, key=None, value=question.data or b""), JSONFormat())
    attributes = {name: shown(value) for name, value in event.get_attributes().items() if name != "datacontenttype"}
    data = event.get_data()
    payload = data if isinstance(data, bytes) else str(data).encode()
    return {"value": attributes, "payload": payload.hex()}


def shown(value: Any) -> Any:  # noqa: ANN401 - an attribute
    """Return an attribute as text."""
    return value.isoformat() if isinstance(value, datetime) else value


serve("cloudevents", version("cloudevents"), {"cloudevents": ["value", "payload"]}, read)
