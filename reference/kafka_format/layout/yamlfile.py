"""YAML with line numbers: what a specification file says, and where it says it.

A plain YAML loader forgets the lines, and a message without a line sends its reader searching. `read` keeps them:
mappings become `Section`, which knows the line of each key and refuses the keys that nobody asked for.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from kafka_format.errors import LayoutError

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SCALARS = yaml.SafeLoader("")


def suggest(word: str, known: Iterable[str]) -> str:
    """Say what to write instead of an unknown word."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f"did you mean `{close[0]}`?" if close else f"known: {', '.join(names)}"


class Section:
    """A YAML mapping with the line of every key. Values are plain data, lists, or further sections."""

    def __init__(self, file: str, line: int, values: dict[str, Any], lines: dict[str, int]) -> None:
        """Keep values and lines side by side."""
        self.file = file
        self.line = line
        self.values = values
        self.lines = lines

    def error(self, detail: str, *, key: str = "", advice: str = "") -> LayoutError:
        """Make an error at this section, or at the line of one key."""
        return LayoutError(detail, file=self.file, line=self.lines.get(key, self.line), advice=advice)

    def only(self, *known: str) -> None:
        """Refuse every key that is not named."""
        for key in self.values:
            if key not in known:
                raise self.error(f"unknown key `{key}`", key=key, advice=suggest(key, known))

    def text(self, key: str, *, required: bool = False) -> str:
        """Return the text under `key`, or the empty text."""
        value = self.values.get(key)
        if value is None and not required:
            return ""
        if not isinstance(value, str):
            raise self.error(
                f"`{key}` must be a text", key=key, advice=f"write `{key}: ...`, in quotes if it looks like a number"
            )
        return value

    def number(self, key: str) -> int | None:
        """Return the integer under `key`, or None if there is no such key."""
        value = self.values.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise self.error(f"`{key}` must be a whole number, not {value!r}", key=key)
        return value

    def section(self, key: str) -> Section:
        """Return the mapping under `key`; an empty one if there is no such key."""
        value = self.values.get(key, Section(self.file, self.line, {}, {}))
        if not isinstance(value, Section):
            raise self.error(f"`{key}` must be a mapping", key=key)
        return value

    def sections(self, key: str) -> list[Section]:
        """Return the list of mappings under `key`; empty if there is no such key."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, Section) for item in value):
            raise self.error(f"`{key}` must be a list of mappings", key=key, advice="write `- {name: ..., ...}`")
        return value


def _convert(node: yaml.Node, file: str) -> Any:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        return _SCALARS.construct_object(node)
    if isinstance(node, yaml.SequenceNode):
        return [_convert(item, file) for item in node.value]
    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise LayoutError("a key must be a word", file=file, line=key_node.start_mark.line + 1)
        key = key_node.value
        if key in values:
            raise LayoutError(
                f"`{key}` stands twice",
                file=file,
                line=key_node.start_mark.line + 1,
                advice=f"the first is in line {lines[key]}",
            )
        values[key] = _convert(value_node, file)
        lines[key] = key_node.start_mark.line + 1
    return Section(file, line, values, lines)


def read(path: Path, file: str) -> Section:
    """Read one YAML file whose top is a mapping.

    Raises:
        LayoutError: it cannot be read, is not YAML, is empty, or has no mapping at its top.
    """
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        raise LayoutError(f"cannot be read: {error.strerror}", file=file, line=1) from None
    except UnicodeDecodeError as error:
        raise LayoutError("is not UTF-8", file=file, line=1, advice=f"byte {error.start}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise LayoutError(f"is not YAML: {getattr(error, 'problem', error)}", file=file, line=line) from None
    if not isinstance(node, yaml.MappingNode):
        raise LayoutError("must be a mapping", file=file, line=1, advice="start with `layout: NAME`")
    section: Section = _convert(node, file)
    return section
