"""confluent-kafka: what `dual_schema_id_deserializer` gives of a value.

Arguments: the kind of content, headers as name=hex with commas between them, a file.
"""

import sys
from pathlib import Path

from confluent_kafka.schema_registry import dual_schema_id_deserializer
from confluent_kafka.schema_registry.serde import SchemaId
from confluent_kafka.serialization import MessageField, SerializationContext

headers = [(name, bytes.fromhex(value)) for name, _, value in (each.partition("=") for each in sys.argv[2].split(","))]
context = SerializationContext("topic", MessageField.VALUE, headers)
schema = SchemaId("PROTOBUF" if sys.argv[1].endswith("protobuf") else "AVRO")
try:
    dual_schema_id_deserializer(Path(sys.argv[3]).read_bytes(), context, schema)
    print(f"id={schema.id} guid={schema.guid} indexes={schema.message_indexes}")
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    print(f"error: {type(error).__name__}: {error}")
