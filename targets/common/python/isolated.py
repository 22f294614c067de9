"""Runs an adapter that serves by python_adapter.py in isolation: `python isolated.py ADAPTER`."""

import json
import os
import runpy
import sys
from collections.abc import Sequence
from typing import Any

import answer_bytes
import isolation
import python_adapter
from answer_bytes import Run
from batchwise import Batchwise
from isolation import RAISED, REFUSED, UNSUPPORTED, Decoder
from python_adapter import Decode, Encode, Message, NotSupported, Record

_RECORDS = 0
"""The only kind of input that an adapter of the template decodes: records as in a fetch
response."""


def serve(
    hello: dict[str, Any],
    decode: Decode | None,
    encode: Encode | None = None,
    message: Message | None = None,  # noqa: ARG001 - in isolation only record batches are asked
) -> None:
    """Stand in for `python_adapter.serve`."""
    if decode is None:
        sys.exit("This adapter decodes no records, and in isolation nothing else is asked.")
    replies = os.dup(1)
    os.dup2(2, 1)
    directions = ["decode", "encode"] if encode else ["decode"]
    reply = json.dumps({"protocol": 1, "directions": directions, **hello}).encode()
    decoder = _by_batch(reply, decode) if isinstance(decode, Batchwise) else _by_record(reply, decode, hello["fields"])
    isolation.serve(decoder, 0, replies)


def _by_batch(hello: bytes, decode: Batchwise) -> Decoder:
    def runs(data: bytes) -> list[Run]:
        return [(state, list(rows)) for state, rows in decode.read(data)]

    def careful(runs: list[Run]) -> bytes:
        return _packed([decode.record(row, state) for state, rows in runs for row in rows])

    answer = answer_bytes.writer(has_text=True)
    return Decoder(hello, {_RECORDS: runs}, answer, careful, _refusal, python_adapter.error_text)


def _by_record(hello: bytes, decode: Decode, fields: Sequence[str]) -> Decoder:
    write = answer_bytes.writer(has_text=False)

    def answer(records: list[Record]) -> bytes:
        columns = dict(zip(Record._fields, zip(*records, strict=True), strict=bool(records)))
        declared = {field: column for field, column in columns.items() if field in fields}
        return write(answer_bytes.runs(declared, len(records)))

    def records(data: bytes) -> list[Record]:
        return list(decode(data))

    return Decoder(hello, {_RECORDS: records}, answer, _packed, _refusal, python_adapter.error_text)


def _packed(records: Sequence[Record]) -> bytes:
    packed = map(python_adapter._packed, records)  # noqa: SLF001 - as over the pipe
    return len(records).to_bytes(4, "big") + b"".join(packed)


def _refusal(error: BaseException) -> tuple[int, bytes]:
    if isinstance(error, NotSupported):
        return UNSUPPORTED, python_adapter.error_text(error, named=False)
    if isinstance(error, Exception):
        return REFUSED, python_adapter.error_text(error)
    return RAISED, b"raised " + python_adapter.error_text(error)


if __name__ == "__main__":
    python_adapter.serve = serve
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
