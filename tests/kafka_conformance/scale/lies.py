"""What a library can get wrong of a batch that it reads batch by batch: told of its first run."""

from collections.abc import Callable
from typing import Any

Run = tuple[list[int], list[list[Any]]]
"""What a batch tells (kafka_python_family.State), and its rows."""

OFFSET, TIMESTAMP, TYPE, KEY, VALUE, HEADERS = range(6)
BASE_SEQUENCE, BASE_OFFSET = 2, 3

LIES: dict[str, Callable[[Run], object]] = {
    "offset": lambda run: run[1][-1].__setitem__(OFFSET, run[1][-1][OFFSET] ^ 1),
    "huge offset": lambda run: run[1][0].__setitem__(OFFSET, 1 << 63),
    "timestamp": lambda run: run[1][-1].__setitem__(TIMESTAMP, None),
    "timestamp type": lambda run: run[1][0].__setitem__(TYPE, run[1][0][TYPE] ^ 1),
    "null for empty": lambda run: run[1][0].__setitem__(KEY, b"" if run[1][0][KEY] is None else None),
    "value": lambda run: run[1][-1].__setitem__(VALUE, (run[1][-1][VALUE] or b"") + b"!"),
    "header": lambda run: run[1][-1][HEADERS].append(("k", None)),
    "producer": lambda run: run[0].__setitem__(0, run[0][0] + 1),
    "first sequence": lambda run: run[0].__setitem__(BASE_SEQUENCE, 5 if run[0][BASE_SEQUENCE] != 5 else 6),
    "control": lambda run: run[0].__setitem__(5, not run[0][5]),
    "codec": lambda run: run[0].__setitem__(6, 4),
    "record lost": lambda run: run[1].pop(),
    "record twice": lambda run: run[1].append(run[1][-1]),
}

OTHER_TYPES: dict[str, tuple[int, Callable[[Any], Any]]] = {
    "offset as float": (OFFSET, float),
    "timestamp as text": (TIMESTAMP, str),
    "timestamp type as float": (TYPE, float),
    "key as text": (KEY, lambda key: (key or b"").decode("latin-1")),
    "value as a list": (VALUE, lambda value: list(value or b"")),
}
"""The field, and how its value is made one of another type; that is equal, or not far from it."""
