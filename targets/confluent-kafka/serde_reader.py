"""confluent-kafka's readers of keys and values, behind adapter protocol 1.

`prefix_schema_id_deserializer` and `dual_schema_id_deserializer` are the steps of its deserializers
of Avro, JSON Schema and Protobuf that come before a registry is asked.
"""

import io
import math
from importlib.metadata import version
from typing import Any

from confluent_kafka.schema_registry import dual_schema_id_deserializer, prefix_schema_id_deserializer
from confluent_kafka.schema_registry.serde import SchemaId
from confluent_kafka.serialization import (
    DoubleDeserializer,
    IntegerDeserializer,
    MessageField,
    SerializationContext,
    StringDeserializer,
)
from serde import Question, serve

_VALUES = {"int": IntegerDeserializer(), "double": DoubleDeserializer(), "string": StringDeserializer("utf_8")}


def read(question: Question) -> dict[str, Any]:
    """Read a value."""
    if question.content in _VALUES:
        return {"value": shown(_VALUES[question.content](question.data))}
    if question.data is None:
        raise NotImplementedError("its deserializers return null before they look for a schema")
    schema = SchemaId("PROTOBUF" if question.content.endswith("protobuf") else "AVRO")
    context = SerializationContext("topic", MessageField.VALUE, question.headers)
    in_header = "header" in question.content
    payload: Any = (dual_schema_id_deserializer if in_header else prefix_schema_id_deserializer)(
        question.data, context, schema
    )
    answer = {"schema_id": schema.id, "guid": schema.guid and schema.guid.hex, "indexes": schema.message_indexes}
    rest = payload.read() if isinstance(payload, io.BytesIO) else payload
    return {**answer, "payload": rest.hex()}


def shown(value: Any) -> Any:  # noqa: ANN401 - a float, or anything else
    """Return a float that JSON has no number for as a text."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[repr(value)]
    return value


PARTS = ["schema_id", "guid", "payload"]
PLAIN = ["confluent", "confluent-guid", "confluent-header"]

SERDES = {
    **dict.fromkeys(PLAIN, PARTS),
    **{f"{content}-protobuf": [*PARTS, "indexes"] for content in PLAIN},
    **{content: ["value"] for content in _VALUES},
}

serve("confluent-kafka", version("confluent-kafka"), SERDES, read)
