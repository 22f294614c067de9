"""The Avro deserializer of python-schema-registry-client, behind adapter protocol 1.

Instead of a registry it gets a client that has one schema for every id, and notes
which id was asked for.
"""

from importlib.metadata import version
from typing import Any

from schema_registry.client import SchemaRegistryClient
from schema_registry.client.schema import AvroSchema
from schema_registry.serializers import AvroMessageSerializer
from serde import Question, serve


class OneSchema(SchemaRegistryClient):  # type: ignore[misc]  # the library is installed beside its adapter only
    """A client without a registry."""

    def __init__(self, schema: str) -> None:
        """Have a schema, and have been asked for nothing."""
        self.schema = schema
        self.asked: int | None = None

    def get_by_id(self, schema_id: int, *_: object, **__: object) -> AvroSchema:
        """Return the schema."""
        self.asked = schema_id
        return AvroSchema(self.schema)


def read(question: Question) -> dict[str, Any]:
    """Read a value; a deserializer keeps the schemas that it has seen, so each gets a new one."""
    client = OneSchema(question.schema)
    value = AvroMessageSerializer(client).decode_message(question.data)
    return {"schema_id": client.asked, "value": value}


SERDES = {"confluent": ["schema_id", "value"]}

serve("python-schema-registry-client", version("python-schema-registry-client"), SERDES, read)
