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
import shared_images
from batchwise import Batchwise
from python_adapter import Decode, Encode, NotSupported, Record
from shared_groups import Decoded, Records, Values
from shared_rows import Rows


def serve(hello: dict[str, Any], decode: Decode, encode: Encode | None = None) -> None:
    """Stand in for `python_adapter.serve`."""
    replies = os.dup(1)
    os.dup2(2, 1)
    values = values_of(hello["fields"])

    def decoded(decode: Any) -> Decoded:  # noqa: ANN401 - a Batchwise or a function
        return Rows(decode, hello["fields"], values) if isinstance(decode, Batchwise) else Records(decode, values)

    directions = ["decode", "encode"] if encode else ["decode"]
    reply = json.dumps({"protocol": 1, "directions": directions, **hello}).encode()
    imaging = shared_images.imaging(decode) if isinstance(decode, Batchwise) and shared_images.possible() else None
    told = python_adapter.told
    decoder = shared_blocks.Decoder(reply, (decode, None), decoded, imaging, _answer, told, NotSupported, told)
    shared_blocks.serve(decoder, 0, replies)


def values_of(fields: Sequence[str]) -> Values:
    """Return what puts records into a sequence for each of these fields."""
    places = {field: Record._fields.index(field) for field in fields}

    def values(records: Sequence[Record]) -> dict[str, Sequence[Any]]:
        every = tuple(zip(*records, strict=True)) or ((),) * len(Record._fields)
        return {field: every[place] for field, place in places.items()}

    return values


def _answer(records: list[Record]) -> bytes:
    return struct.pack(">i", len(records)) + b"".join(map(python_adapter._packed, records))  # noqa: SLF001 - its other half


if __name__ == "__main__":
    python_adapter.serve = serve
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
