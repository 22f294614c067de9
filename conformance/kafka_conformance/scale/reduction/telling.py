"""What is left to say of a reduced batch: the fields that are not as simple as can be.

After reduction these are the ones that matter: without them the target would be right.
"""

import re
from collections.abc import Iterator
from typing import Any

from kafka_conformance.scale.reduction.model import Tree
from kafka_conformance.scale.reduction.shrinking import NULL, simplest

_SHOWN = 24
_INDEX = re.compile(r"^\[\d+\]\.?|\[\d+\]")


def telling(tree: Tree) -> tuple[str, ...]:
    """Name the fields that matter with their values, for example `records[0].attributes = -60`."""
    entries = [(f"[{number}]." if len(tree) > 1 else "", entry) for number, entry in enumerate(tree)]
    found = (item for start, entry in entries for item in _fields(start, entry))
    return tuple(f"{path} = {_text(value)}" for path, value in found)


def fields(told: tuple[str, ...]) -> tuple[str, ...]:
    """The paths alone, without numbers of entries and items: `records.attributes`."""
    return tuple(dict.fromkeys(_INDEX.sub("", one.partition(" = ")[0]) for one in told))


def _fields(path: str, value: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - any value of a tree
    if isinstance(value, dict):
        for name, member in value.items():
            if name != "magic":
                yield from _fields(f"{path}.{name}".lstrip(".") if not path.endswith(".") else path + name, member)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _fields(f"{path}[{index}]", item)
    elif _matters(path, value):
        yield path, value


def _matters(path: str, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    name = path.rpartition(".")[2]
    if isinstance(value, int):
        return value != simplest(name)
    return value is not None if name in NULL and "headers" not in path else value != b""


def _text(value: Any) -> str:  # noqa: ANN401 - any value of a tree
    if value is None:
        return "null"
    if isinstance(value, bytes):
        return (
            value[:_SHOWN].hex() + (f" and {len(value) - _SHOWN} more bytes" if len(value) > _SHOWN else "") or "empty"
        )
    return str(value)
