"""python-schema-registry-client: what `AvroMessageSerializer.decode_message` gives of a value.

Arguments: the kind of content, headers (unused), a file. The schema is "null" for every id.
"""

import sys
from pathlib import Path

from schema_registry.client import SchemaRegistryClient
from schema_registry.client.schema import AvroSchema
from schema_registry.serializers import AvroMessageSerializer

client = SchemaRegistryClient("http://127.0.0.1:1")
client.get_by_id = lambda *_, **__: AvroSchema('"null"')
try:
    print(AvroMessageSerializer(client).decode_message(Path(sys.argv[3]).read_bytes()))
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    print(f"error: {type(error).__name__}: {error}")
