"""Runs an adapter that serves by python_adapter.py on blocks in shared memory: `python share.py ADAPTER`."""

import json
import os
import runpy
import struct
import sys
from collections.abc import Sequence
from typing import Any

import python_adapter
import shared_blocks
import shared_rows
from batchwise import Batchwise
from python_adapter import Decode, Encode, NotSupported, Record
from shared_answers import by_columns


def serve(hello: dict[str, Any], decode: Decode, encode: Encode | None = None) -> None:
    """Stand in for `python_adapter.serve`."""
    replies = os.dup(1)
    os.dup2(2, 1)
    fields = hello["fields"]
    declared = [Record._fields.index(field) for field in fields]

    def columns(records: Sequence[Record]) -> list[tuple[Any, ...]]:
        every = tuple(zip(*records, strict=True))
        return [every[place] for place in declared]

    directions = ["decode", "encode"] if encode else ["decode"]
    reply = json.dumps({"protocol": 1, "directions": directions, **hello}).encode()
    by_records = by_columns(columns)
    decoder = shared_blocks.Decoder(reply, (decode, None), by_records, fields, _answer, _refusal, NotSupported)
    if isinstance(decode, Batchwise):
        decoder = decoder._replace(
            decoders=(shared_rows.reader(decode), None),
            compare=shared_rows.comparison(decode, by_records),
            answer=lambda items: _answer(shared_rows.records(decode, items)),
        )
    shared_blocks.serve(decoder, 0, replies)


def _answer(records: list[Record]) -> bytes:
    return struct.pack(">i", len(records)) + b"".join(map(python_adapter._packed, records))  # noqa: SLF001 - its other half


def _refusal(error: Exception) -> bytes:
    return f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")


if __name__ == "__main__":
    python_adapter.serve = serve
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
