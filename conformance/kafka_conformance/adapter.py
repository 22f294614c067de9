"""The answering side of the adapter protocol: serves a decode function over standard input and output.

`kafka-conformance adapter reference` and every `python:module:function` target are this loop around a function. It
is the protocol once more in the open, small enough to read before writing an adapter in another language: read a
frame, answer it, until the end of input. The function runs in a process of its own, so one that crashes or hangs is
caught like any other target.
"""

import importlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, BinaryIO

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record

from kafka_conformance import answers, protocol
from kafka_conformance.errors import UsageError
from kafka_conformance.outcomes import Direction, Hello
from kafka_conformance.protocol import BlockReply, DecodeRequest, EncodeInput, EncodeRequest, Kind, Reply, Status

DEFAULT_FIELDS = ("offset", "timestamp", "key", "value", "headers")
"""What a `python:` function is taken to return unless its module says otherwise."""

Decode = Callable[[bytes], Iterable[Any]]
Encode = Callable[[int, int, Sequence[Record]], bytes]


@dataclass(frozen=True, slots=True)
class Served:
    """A target to serve: what it declares, and its functions.

    Attributes:
        hello: the declaration.
        decode: a record run to records: `Record`s, or mappings or objects with the declared fields.
        encode: magic, codec and records to the bytes of one batch or message set.
        refusals: exceptions that mean "these bytes are wrong"; any other ends the adapter, as it would end a program.
    """

    hello: Hello
    decode: Decode
    encode: Encode | None = None
    refusals: tuple[type[Exception], ...] = (Exception,)


def reference() -> Served:
    """The reference of this project. Anything but a `FormatError` is a crash of ours, and must be seen as one."""
    hello = Hello(
        name="kafka-format reference",
        version=version("kafka-format-conformance"),
        language="Python",
        formats=("v0", "v1", "v2"),
        codecs=answers.CODECS,
        fields=answers.FIELDS,
        checks_crc=True,
        directions=(Direction.DECODE, Direction.ENCODE),
    )
    return Served(hello, records.decode, _encode, (FormatError,))


def python_function(target: str) -> Served:
    """Import what `module:function` names.

    The module may declare more in a dictionary `HELLO`, with the keys of a hello (fields, formats, codecs,
    checks_crc, ...).

    Raises:
        UsageError: the module does not import, or has no such function; the text says which and why.
    """
    module_name, _, function_name = target.partition(":")
    if not module_name or not function_name:
        raise UsageError(f"{target!r} is not module:function.", "For example: python:my_decoder:decode.")
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - sys.path holds strings
    try:
        module = importlib.import_module(module_name)
    except Exception as error:  # noqa: BLE001 - a module may raise anything while it is imported
        hint = "It is looked for in the current folder and in the Python environment of kafka-conformance."
        raise UsageError(f"cannot import {module_name}: {type(error).__name__}: {error}.", hint) from None
    function = getattr(module, function_name, None)
    if not callable(function):
        raise UsageError(f"{module_name} has no function {function_name!r}.", "Write it as python:module:function.")
    declared = {
        "name": target,
        "version": str(getattr(module, "__version__", "unknown")),
        **getattr(module, "HELLO", {}),
    }
    return Served(_hello(declared), function)


def serve(served: Served, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until the end of input.

    Raises:
        protocol.ProtocolError: the runner sent something that is no request.
    """
    while len(head := requests.read(protocol.LENGTH_BYTES)) == protocol.LENGTH_BYTES:
        body = requests.read(int.from_bytes(head, "big"))
        replies.write(protocol.frame(_reply(served, body)))
        replies.flush()


def serve_standard_streams(served: Served) -> None:
    """Serve over the process's own pipes; whatever the function prints goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(served, sys.stdin.buffer, replies)


def _reply(served: Served, body: bytes) -> bytes:
    if body[:1] == b"H":
        return protocol.hello_reply(served.hello)
    asked = protocol.parse_request(body)
    if isinstance(asked, DecodeRequest):
        results = tuple(_decoded(served, data) for data in asked.inputs)
        return protocol.block_reply(BlockReply(Kind.DECODE, asked.block_id, results))
    return protocol.block_reply(BlockReply(Kind.ENCODE, asked.block_id, _encoded_block(served, asked)))


def _decoded(served: Served, data: bytes) -> Reply:
    try:
        items = list(served.decode(data))
    except served.refusals as error:
        return _refusal(error)
    return Reply(Status.ANSWER, answers.to_bytes(_record(item, served.hello.fields) for item in items))


def _encoded_block(served: Served, asked: EncodeRequest) -> tuple[Reply, ...]:
    encode = served.encode
    if encode is None:
        return tuple(Reply(Status.UNSUPPORTED, b"does not encode") for _ in asked.inputs)
    return tuple(_encoded(encode, item, served.refusals) for item in asked.inputs)


def _encoded(encode: Encode, item: EncodeInput, refusals: tuple[type[Exception], ...]) -> Reply:
    try:
        return Reply(Status.ANSWER, encode(item.magic, item.codec, answers.from_bytes(item.answer)))
    except refusals as error:
        return _refusal(error)


def _refusal(error: Exception) -> Reply:
    text = str(error) if isinstance(error, FormatError) else f"{type(error).__name__}: {error}"
    return Reply(Status.REFUSED, text.encode("utf-8", "backslashreplace"))


def _encode(magic: int, codec: int, answer: Sequence[Record]) -> bytes:
    return records.encode(answer, magic=magic, codec=answers.CODECS[codec])


def _record(item: Any, fields: Iterable[str]) -> Record:  # noqa: ANN401 - whatever the user's function returned
    if isinstance(item, Record):
        return item
    values = {field: item[field] if isinstance(item, Mapping) else getattr(item, field) for field in fields}
    if "headers" in values:
        values["headers"] = tuple(Header(*header) for header in values["headers"])
    return Record(**{**_EMPTY, **values})


_EMPTY: Mapping[str, Any] = {
    "offset": 0,
    "timestamp": 0,
    "timestamp_type": 0,
    "key": None,
    "value": None,
    "headers": (),
    "producer_id": 0,
    "producer_epoch": 0,
    "sequence": 0,
    "transactional": False,
    "control": False,
    "codec": 0,
}
"""Fields that a function does not declare are written as zero and not compared."""


def _hello(declared: Mapping[str, Any]) -> Hello:
    return Hello(
        name=declared["name"],
        version=declared["version"],
        language=declared.get("language", "Python"),
        formats=tuple(declared.get("formats", ("v0", "v1", "v2"))),
        codecs=tuple(declared.get("codecs", answers.CODECS)),
        fields=tuple(declared.get("fields", DEFAULT_FIELDS)),
        checks_crc=declared.get("checks_crc", True),
        url=declared.get("url", ""),
    )
