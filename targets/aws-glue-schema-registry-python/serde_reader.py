"""The codec of aws-glue-schema-registry, behind adapter protocol 1.

`decode` is the step of its deserializer that comes before a registry is asked.
"""

from importlib.metadata import version
from typing import Any

from aws_schema_registry.codec import decode
from serde import Question, serve


def read(question: Question) -> dict[str, Any]:
    """Read a value."""
    payload, schema_version = decode(question.data or b"")
    return {"guid": schema_version.hex, "payload": payload.hex()}


serve("aws-glue-schema-registry", version("aws-glue-schema-registry"), {"glue": ["guid", "payload"]}, read)
