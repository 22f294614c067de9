"""YAML with line numbers: what a specification file says, and where it says it.

A plain YAML loader forgets the lines, and a message without a line sends its reader searching.
`read` keeps them: mappings become `Section`, which knows the line of each key and refuses unknown
keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final

import yaml

from kafka_format.errors import LayoutError

_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SCALARS = yaml.SafeLoader("")
_TEXT: Final = "tag:yaml.org,2002:str"
_DEEPEST: Final = 16
_MOST_BRACKETS: Final = 1000
"""Brackets that may be open at once; libyaml overflows its stack at some 20,000."""
_BRACKETS: Final = re.compile(r"[\[\]{}]")
_MOST_NAMES: Final = 100
"""Most names that an advice lists."""

_NAME: Final = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")


def suggest(word: str, known: Iterable[str]) -> str:
    """Say what to write instead of an unknown word; nothing if nothing is known."""
    import difflib  # noqa: PLC0415 - only errors need it

    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    if close:
        return f"did you mean `{close[0]}`?"
    if len(names) > _MOST_NAMES:
        return f"{len(names)} are known, such as {', '.join(names[:: len(names) // 3][:3])}"
    return f"known: {', '.join(names)}" if names else ""


class Section:
    """A YAML mapping with the line of every key. Values are plain data, lists, or sections."""

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

    def texts(self, key: str) -> list[str]:
        """Return the list of texts under `key`; empty if there is no such key."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.error(f"`{key}` must be a list of texts", key=key, advice=f"write `{key}: [...]`")
        return value

    def name(self, key: str) -> str:
        """Return the name under `key`, which has to be there: words that Python code can use."""
        name = self.text(key, required=True)
        if not _NAME.fullmatch(name) or iskeyword(name):
            advice = "use lower-case words with _ between them" + (", not a word of Python" if iskeyword(name) else "")
            raise self.error(f"`{name}` cannot be a name", key=key, advice=advice)
        return name

    def number(self, key: str) -> int | None:
        """Return the integer under `key`, or None if there is no such key."""
        value = self.values.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise self.error(f"`{key}` must be a whole number, not {value!r}", key=key)
        return value

    def flag(self, key: str) -> bool:
        """Return the true or false under `key`; false if there is no such key."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.error(f"`{key}` must be true or false, not {value!r}", key=key)
        return value

    def section(self, key: str) -> Section:
        """Return the mapping under `key`; an empty one if there is no such key."""
        value = self.values.get(key, Section(self.file, self.line, {}, {}))
        if not isinstance(value, Section):
            raise self.error(f"`{key}` must be a mapping", key=key)
        return value

    def parts(self, key: str) -> dict[str, Section]:
        """Return the mappings under the mapping `key`, by name; empty if there is no such key."""
        section = self.section(key)
        for name in section.values:
            section.section(name)
        return dict(section.values)

    def sections(self, key: str) -> list[Section]:
        """Return the list of mappings under `key`; empty if there is no such key."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, Section) for item in value):
            raise self.error(f"`{key}` must be a list of mappings", key=key, advice="write `- {name: ..., ...}`")
        return value


class _Converter:
    """Makes plain data and sections of the nodes of one file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._seen: set[int] = set()

    def convert(self, node: yaml.Node, depth: int = 0) -> Any:
        if id(node) in self._seen:
            raise self._error(node, "an alias (*) repeats what stands elsewhere", "write it out")
        self._seen.add(id(node))
        if depth > _DEEPEST:
            raise self._error(node, f"is nested more than {_DEEPEST} deep")
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if isinstance(node, yaml.SequenceNode):
            return [self.convert(item, depth + 1) for item in node.value]
        return self._section(node, depth)

    def _error(self, node: yaml.Node, detail: str, advice: str = "") -> LayoutError:
        return LayoutError(detail, file=self._file, line=node.start_mark.line + 1, advice=advice)

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        if node.tag == _TEXT:
            return node.value
        try:
            return _SCALARS.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            detail = getattr(error, "problem", error)
            raise self._error(node, f"`{node.value}` cannot be read: {detail}", "put it in quotes") from None

    def _section(self, node: yaml.Node, depth: int) -> Section:
        values: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._error(key_node, "a key must be a word")
            if key in values:
                raise self._error(key_node, f"`{key}` appears twice", f"the first is in line {lines[key]}")
            values[key] = self.convert(value_node, depth + 1)
            lines[key] = key_node.start_mark.line + 1
        return Section(self._file, node.start_mark.line + 1, values, lines)


def load_yaml(text: str) -> Any:
    """Return the content of one of our YAML files, as plain data without line numbers.

    It is read by libyaml: PyYAML's loader in Python takes ten times as long.

    Raises:
        yaml.YAMLError: it is not YAML.
    """
    return yaml.load(text, _Loader)  # noqa: S506 - a safe loader, in C


def _open_brackets(text: str) -> int:
    """Return how many brackets are open at once, those of texts and comments included."""
    deepest = opened = 0
    for bracket in _BRACKETS.findall(text):
        opened = opened + 1 if bracket in "[{" else max(opened - 1, 0)
        deepest = max(deepest, opened)
    return deepest


def read(path: Path, file: str) -> Section:
    """Read one YAML file whose top is a mapping.

    Raises:
        LayoutError: it cannot be read, is not YAML, is empty, or has no mapping at its top.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if _open_brackets(text) > _MOST_BRACKETS:
            raise LayoutError("is nested too deeply", file=file, line=1, advice="close the brackets")
        node = yaml.compose(text, Loader=_Loader)
    except OSError as error:
        raise LayoutError(f"cannot be read: {error.strerror}", file=file, line=1) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LayoutError("is not UTF-8", file=file, line=line, advice=f"byte {error.start}") from None
    except yaml.reader.ReaderError as error:
        line = text[: error.position].count("\n") + 1
        raise LayoutError(f"is not YAML: {error.reason}", file=file, line=line) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        raise LayoutError(f"is not YAML: {getattr(error, 'problem', error)}", file=file, line=line) from None
    if not isinstance(node, yaml.MappingNode):
        raise LayoutError("must be a mapping", file=file, line=1, advice="start with `layout: NAME`")
    section: Section = _Converter(file).convert(node)
    return section
