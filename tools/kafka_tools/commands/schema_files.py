"""Payloads by a schema that a person gives as a file: Avro, Protobuf or JSON Schema.

The schema languages are other people's: Apache's `avro`, Google's `protobuf` and `jsonschema` read
them. No registry is asked, and no reference is fetched.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_tools.errors import UsageError
from kafka_tools.text import plural


class BySchema(NamedTuple):
    """What a payload says by a schema.

    Attributes:
        value: what `json.dumps` takes; bytes are hex.
        problem: why the payload does not fit; "" if it does.
    """

    value: Any
    problem: str = ""


Reader = Callable[[bytes, Sequence[int]], BySchema]
"""Reads a payload, given the indexes of its message, which Protobuf has."""


def reader(path: Path) -> Reader:
    """Return what reads payloads by a schema file: .avsc, .json, or the .desc that protoc writes.

    Raises:
        UsageError: the file is none of these or cannot be read, or its library is not installed.
    """
    make = _MAKERS.get(path.suffix)
    if make is None:
        raise UsageError(
            f"{path.name} is no schema that is known by its name.",
            "Avro is .avsc, JSON Schema .json, Protobuf the .desc of protoc --include_imports --descriptor_set_out.",
        )
    try:
        return make(path.read_bytes())
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - each library has errors of its own
        raise UsageError(f"{path.name} cannot be read as a schema: {_said(error)}", "Is it of its kind?") from None


def _avro(text: bytes) -> Reader:
    _need("avro", "avro")
    from avro.io import BinaryDecoder, DatumReader  # noqa: PLC0415 - an extra
    from avro.schema import parse  # noqa: PLC0415

    schema = parse(text.decode())
    if _has_sizeless_items(schema):
        raise UsageError(
            "the schema has arrays of items without bytes.", "A count in the payload could ask for any memory."
        )

    def read(payload: bytes, _: Sequence[int]) -> BySchema:
        if schema.type == "bytes":  # Confluent's serializer writes these as they are
            return BySchema(payload.hex())
        source = BytesIO(payload)
        value = DatumReader(schema).read(BinaryDecoder(source))
        left = len(payload) - source.tell()
        return BySchema(value, f"{plural(left, 'byte')} left behind the value" if left else "")

    return read


def _has_sizeless_items(schema: Any, seen: frozenset[int] = frozenset()) -> bool:  # noqa: ANN401 - avro has no types
    """Tell whether a schema has arrays, of which any number of items fit into no bytes."""
    if id(schema) in seen:
        return False
    items, seen = getattr(schema, "items", None), seen | {id(schema)}
    inner = [*getattr(schema, "schemas", ()), *(field.type for field in getattr(schema, "fields", ()))]
    inner += [each for each in (items, getattr(schema, "values", None)) if each is not None]
    is_bad = schema.type == "array" and _is_sizeless(items, frozenset())
    return is_bad or any(_has_sizeless_items(each, seen) for each in inner)


def _is_sizeless(schema: Any, seen: frozenset[int]) -> bool:  # noqa: ANN401 - avro has no types
    """Tell whether a value of a schema takes no bytes."""
    if schema.type == "record" and id(schema) not in seen:
        return all(_is_sizeless(field.type, seen | {id(schema)}) for field in schema.fields)
    return schema.type == "null" or (schema.type == "fixed" and not schema.size)


def _json_schema(text: bytes) -> Reader:
    from jsonschema.validators import validator_for  # noqa: PLC0415 - only here
    from referencing import Registry  # noqa: PLC0415

    schema = json.loads(text)
    kind = validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema, registry=Registry())

    def read(payload: bytes, _: Sequence[int]) -> BySchema:
        value = json.loads(payload, parse_constant=_no_constant)
        first = next(validator.iter_errors(value), None)
        return BySchema(value, "" if first is None else f"{first.json_path}: {first.message}")

    return read


def _protobuf(content: bytes) -> Reader:
    _need("google.protobuf", "protobuf")
    from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory  # noqa: PLC0415
    from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: PLC0415

    files, pool = descriptor_pb2.FileDescriptorSet.FromString(content).file, descriptor_pool.DescriptorPool()
    if not files:
        raise UsageError("the descriptor set has no file.", "Does protoc write it with --descriptor_set_out?")
    for file in files:
        pool.Add(file)

    def read(payload: bytes, indexes: Sequence[int]) -> BySchema:
        found, name, within = None, files[-1].package, files[-1].message_type
        for index in indexes or (0,):
            if not 0 <= index < len(within):
                return BySchema(None, f"it has no message with the indexes {list(indexes)}")
            found, within = within[index], within[index].nested_type
            name = f"{name}.{found.name}" if name else found.name
        value = message_factory.GetMessageClass(pool.FindMessageTypeByName(name)).FromString(payload)
        unknown = len(UnknownFieldSet(value))
        said = f"{name} lacks {plural(unknown, 'field')} that the payload has" if unknown else ""
        return BySchema(json_format.MessageToDict(value, preserving_proto_field_name=True), said)

    return read


_MAKERS: Final[Mapping[str, Callable[[bytes], Reader]]] = {".avsc": _avro, ".json": _json_schema, ".desc": _protobuf}


def _no_constant(name: str) -> Any:  # noqa: ANN401 - it gives nothing
    msg = f"{name} is no JSON"
    raise ValueError(msg)


def read(by: Reader, payload: bytes, indexes: Sequence[int]) -> BySchema:
    """Read a payload; what a library raises becomes the problem."""
    try:
        found = by(payload, indexes)
        return found._replace(value=_plain(found.value))
    except Exception as error:  # noqa: BLE001 - each library has errors of its own
        return BySchema(None, _said(error))


def _need(module: str, name: str) -> None:
    try:
        is_there = find_spec(module) is not None
    except ModuleNotFoundError:
        is_there = False
    if not is_there:
        raise UsageError(f"this needs {name}.", "pip install 'kafka-format-conformance[schemas]'")


def _plain(value: Any) -> Any:  # noqa: ANN401 - what a schema says
    """Return what JSON has a form for: bytes as hex, NaN and its like as texts."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    is_json = value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value))
    return value if is_json else str(value)


def _said(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
