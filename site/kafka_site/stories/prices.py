"""What a key, a header and a codec cost: bytes a record in each format, measured by encoding."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kafka_format import records
from kafka_format.records import Header, Record

from kafka_site.model import Site
from kafka_site.pictures.plot import plot
from kafka_site.stories.sizes import COUNTS, TIME

_FORMATS: Final = {0: "v0", 1: "v1", 2: "v2"}
_CODECS: Final = {"none": (0, 1, 2), "gzip": (0, 1, 2), "snappy": (0, 1, 2), "lz4": (0, 1, 2), "zstd": (2,)}
"""The formats that have each codec."""

_KEYS: Final = (0, 1, 10, 30, 63, 64, 100, 300, 1000, 3000, 8191, 8192, 10000)
_EACH: Final = (*range(1, 140), *(int(140 * 1.08**step) for step in range(52)), 8191, 8192, 10000)
"""The same for the picture: near enough that a step is where it is."""

_HEADERS: Final = (0, 1, 2, 3, 5, 10)
_BATCH: Final = 100
_KEY_SIZES: Final = (0, 8, 36)
_MOST: Final = 200
"""Records up to which the point is looked for from which on v2 is smaller."""


def values(_site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    sample = _orders(3)
    return {
        "batch": _BATCH,
        "sample": [record.value.decode() for record in sample if record.value is not None],
        "header": _header(0, "4bf92f3577b34da6"),
        "keys": plot(
            {name: [(size, _overhead(magic, size)) for size in sorted(_EACH)] for magic, name in _FORMATS.items()},
            across="bytes of key",
            up="bytes a record, beside key and value",
            label="Bytes a record beside key and value in v0, v1 and v2, by the length of the key",
            steps=True,
        ),
        "overheads": {name: {size: _overhead(magic, size) for size in _KEYS} for magic, name in _FORMATS.items()},
        "headers": plot(
            {codec: [(count, _with_headers(count, codec)) for count in _HEADERS] for codec in _CODECS},
            across="headers a record",
            up="bytes a record",
            label="Bytes a record in v2 with each codec, by the number of headers",
            logarithmic=False,
        ),
        "a_header": {codec: (_a_header(codec, alike=True), _a_header(codec, alike=False)) for codec in _CODECS},
        "codecs": plot(
            {codec: [(count, _bytes(_orders(count), 2, codec)) for count in COUNTS] for codec in _CODECS},
            across="records in a batch",
            up="bytes a record",
            label="Bytes a record in v2 with each codec, by records in a batch",
        ),
        "by_codec": {codec: _by_format(codec) for codec in _CODECS},
        "key_sizes": _KEY_SIZES,
        "wins": {codec: [_first_win(codec, size) for size in _KEY_SIZES] for codec in _CODECS if codec != "zstd"},
    }


def _orders(count: int, key: int = 8) -> list[Record]:
    """Return records like those of a shop: short JSON, in which some things repeat."""
    dice = random.Random(18)  # noqa: S311 - the same orders every time
    return [_order(dice, number, key) for number in range(count)]


def _order(dice: random.Random, number: int, key: int) -> Record:
    status = dice.choice(["new", "paid", "sent"])
    value = f'{{"order":{70_000 + number},"status":"{status}","cents":{dice.randrange(100, 20_000)}}}'
    return Record(
        offset=number,
        timestamp=TIME + 7 * number,
        timestamp_type=0,
        key=dice.randbytes((key + 1) // 2).hex()[:key].encode() if key else None,
        value=value.encode(),
    )


def _bytes(run: Sequence[Record], magic: int, codec: str) -> float:
    """Return the bytes a record of one batch, wrapper or message set."""
    if magic == 0:
        run = [record._replace(timestamp=-1, timestamp_type=-1) for record in run]
    return len(records.encode(run, magic=magic, codec=codec)) / len(run)


def _overhead(magic: int, size: int) -> float:
    """Return what a record costs beside its key and value."""
    run = [record._replace(key=bytes(size) if size else None) for record in _orders(_BATCH)]
    content = sum(len(record.value or b"") + size for record in run)
    return _bytes(run, magic, "none") - content / _BATCH


def _with_headers(count: int, codec: str, *, alike: bool = True) -> float:
    """Return the bytes a record with headers whose values are alike in all records, or are not."""
    dice = random.Random(18)  # noqa: S311 - the same headers every time
    fixed = dice.randbytes(8).hex()
    run = [
        record._replace(headers=tuple(_header(n, fixed if alike else dice.randbytes(8).hex()) for n in range(count)))
        for record in _orders(_BATCH)
    ]
    return _bytes(run, 2, codec)


def _header(number: int, value: str) -> Header:
    return Header(f"trace-{number}".encode(), value.encode())


def _a_header(codec: str, *, alike: bool) -> float:
    return (_with_headers(10, codec, alike=alike) - _with_headers(0, codec)) / 10


def _by_format(codec: str) -> Mapping[str, float]:
    return {_FORMATS[magic]: _bytes(_orders(_BATCH), magic, codec) for magic in _CODECS[codec]}


def _first_win(codec: str, key: int) -> int:
    """Return from how many records on v2 is smaller than v1."""
    orders = _orders(_MOST, key)
    return next(
        count for count in range(1, _MOST) if _bytes(orders[:count], 2, codec) < _bytes(orders[:count], 1, codec)
    )
