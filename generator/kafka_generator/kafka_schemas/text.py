"""The YAML of one layout from the merged schema: readable, with fields in wire order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kafka_generator.kafka_schemas.merge import Node, Release
from kafka_generator.kafka_schemas.names import camel, snake
from kafka_generator.kafka_schemas.schema import OPEN

_IMPLICIT: Final = {"0", "false", "", "0.0"}
"""What Kafka's schemas say where they might as well say nothing."""

_NULL: Final = re.compile(r"; null [^;]*$")
"""What a sentence says of null, where there is none."""

_PLAIN_START: Final = frozenset("!&*-?|>@`%{}[]'\"#,:0123456789.+~<=")
_WORDS: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null", "none", "y", "n"})


@dataclass(frozen=True)
class Sentences:
    """What fields mean, by their name, or by structure and name; and the names of their numbers."""

    texts: Mapping[str, str]

    names: Mapping[str, str]

    def enumeration(self, structure: str, name: str) -> str | None:
        """Return the enumeration that names the numbers of a field, None if none does."""
        return self.names.get(f"{structure}.{name}") or self.names.get(name)

    def of(self, structure: str, name: str) -> str:
        """Return the sentence for a field.

        Raises:
            KeyError: there is none; write it into sentences.yaml.
        """
        return self.texts.get(f"{structure}.{name}") or self.texts[name]


def scalar(value: str, *, flow: bool = True) -> str:
    """Return a text as YAML, in quotes where it needs them."""
    unsafe = (
        not value
        or value[0] in _PLAIN_START
        or value.lower() in _WORDS
        or ": " in value
        or " #" in value
        or value.endswith(":")
        or (flow and any(sign in value for sign in ",[]{}"))
    )
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if unsafe else value


def release(number: Release) -> str:
    """Return `4.1` for any patch of it."""
    return ".".join(str(part) for part in number[:2])


def span(versions: Iterable[int], highest: int) -> str:
    """Return `0-3`, `3+` or `3` for versions without a gap; `+` where they end with the schema."""
    numbers = sorted(versions)
    low, high = numbers[0], numbers[-1]
    if high == highest:
        return f"{low}+"
    return f"{low}-{high}" if low < high else str(low)


class LayoutText:
    """Writes the fields of one layout."""

    def __init__(self, sentences: Sentences, highest: int, structures: Sequence[str] = ()) -> None:
        """Take the layout's highest version, and the names of the structures under `structures`."""
        self._sentences = sentences
        self._highest = highest
        self._structures = structures

    def fields(self, nodes: Sequence[Node], parent: set[int], structure: str, indent: str) -> Iterator[str]:
        """Yield the lines of the fields of one structure."""
        for node in nodes:
            parts = dict(self._parts(node, parent, structure))
            item = snake(node.type.removeprefix("[]"))
            if not node.fields or item in self._structures:
                yield f"{indent}- {{" + ", ".join(f"{key}: {value}" for key, value in parts.items()) + "}"
                continue
            first = "- "
            for key, value in parts.items():
                yield f"{indent}{first}{key}: {value}"
                first = "  "
            yield f"{indent}  fields:"
            yield from self.fields(node.fields, node.versions, item, indent + "    ")

    def _parts(self, node: Node, parent: set[int], structure: str) -> Iterator[tuple[str, str]]:
        name = snake(node.name)
        yield "name", name
        json = node.name[0].lower() + node.name[1:]
        if camel(name) != json:
            yield "kafka", json
        yield "type", _type(node)
        if node.map_key:
            yield "map_key", "true"
        if node.versions != parent:
            yield "versions", span(node.versions, self._highest)
        if node.nullable:
            yield "nullable", "true" if node.nullable == node.versions else span(node.nullable, self._highest)
        yield from _values(node)
        yield from _history(node)
        enumeration = self._sentences.enumeration(structure, name)
        if enumeration and "int" in node.type:
            yield "names", enumeration
        text = self._sentences.of(structure, name)
        yield "doc", scalar(text if node.nullable else _NULL.sub(".", text))


def _values(node: Node) -> Iterator[tuple[str, str]]:
    if node.tag is not None:
        yield "tag", str(node.tag)
    if node.flexible is not None:
        yield "flexible", "none" if node.flexible.highest < 0 else span(node.flexible.numbers, OPEN)
    default = _default(node)
    if default is not None:
        yield "default", default


def _history(node: Node) -> Iterator[tuple[str, str]]:
    if node.since is not None:
        yield "since", f'"{release(node.since)}"'
    old = {snake(old): used for old, used in node.formerly.items() if snake(old) != snake(node.name)}
    if old:
        yield "formerly", "{" + ", ".join(f'{key}: "{_releases_of(node, used)}"' for key, used in old.items()) + "}"


def _releases_of(node: Node, releases: set[Release]) -> str:
    """Return the last release that used a name, or first and last if today's name is older."""
    text = release(max(releases))
    return f"{release(min(releases))} to {text}" if any(now < min(releases) for now in node.called) else text


def _type(node: Node) -> str:
    item = node.type.removeprefix("[]")
    name = snake(item) if node.fields or item[:1].isupper() else item
    return f"{{array: {name}}}" if node.type.startswith("[]") else name


def _default(node: Node) -> str | None:
    value = node.default
    if value is None or value.lower() in _IMPLICIT:
        return None
    if value.lower() in ("true", "null"):
        return value.lower()
    if node.type in ("string", "uuid"):
        return scalar(value)
    return str(int(value, 0)) if node.type != "float64" else value
