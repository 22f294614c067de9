"""From spec/ to the model: everything is checked here, once, so that no reader of the model has to.

The loader refuses unknown keys, unknown types, references to fields that do not come earlier, overlapping bits and
numbers that do not fit, and says in which file, in which line, and what to write instead.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from kafka_format.errors import LayoutError
from kafka_format.spec import data
from kafka_format.spec.layout import fields
from kafka_format.spec.layout.model import Enumeration, Form, Layout, Specification
from kafka_format.spec.layout.types import TypeTable
from kafka_format.spec.layout.yamlfile import Section, read, suggest

_LAYOUT_KEYS: Final = ("layout", "title", "doc", "since", "until", "source", "endian", "fields")


def _enums(spec: Path) -> dict[str, Enumeration]:
    top = read(spec / "enums.yaml", "enums.yaml")
    top.only("enums")
    found = {}
    for name, section in top.parts("enums").items():
        section.only("doc", "values")
        found[name] = Enumeration(name, section.text("doc"), MappingProxyType(_numbers(name, section)))
    return found


def _numbers(name: str, section: Section) -> dict[int, str]:
    values = section.section("values")
    numbers = {int(number): word for number, word in values.values.items() if number.isdecimal()}
    words = set(numbers.values())
    if not numbers or len(words) != len(values.values) or not all(isinstance(word, str) for word in words):
        raise section.error(
            f"the values of `{name}` must be numbers with names, and none twice",
            key="values",
            advice="write `{0: none, 1: gzip}`",
        )
    return numbers


def _flags(spec: Path) -> dict[str, str]:
    top = read(spec / "flags.yaml", "flags.yaml")
    top.only("flags")
    relaxed: dict[str, str] = {}
    for name, section in top.parts("flags").items():
        section.only("relaxes", "doc", "evidence")
        for rule in section.texts("relaxes"):
            if rule in relaxed:
                raise section.error(
                    f"`{name}` and `{relaxed[rule]}` both relax {rule}", key="relaxes", advice="one flag a rule"
                )
            relaxed[rule] = name
    return relaxed


class _Loader:
    """Loads layouts on demand, so that a layout may use one in a file that comes later."""

    def __init__(self, spec: Path) -> None:
        self._files: dict[str, Section] = {}
        self._open: list[str] = []
        self.layouts: dict[str, Layout] = {}
        enums = _enums(spec)
        self.types = TypeTable(enums, self.layout)
        for path in sorted((spec / "layouts").rglob("*.yaml")):
            self._register(read(path, path.relative_to(spec).as_posix()))
        self.enums = enums

    def _register(self, top: Section) -> None:
        kinds = [kind for kind in ("layout", "form") if kind in top.values]
        if len(kinds) != 1:
            raise top.error(
                "says neither `layout: NAME` nor `form: NAME`", advice="one of them, and only one, is the first line"
            )
        name = top.name(kinds[0])
        stem = Path(top.file).stem
        if name != stem:
            raise top.error(
                f"`{name}` stands in a file named {stem}.yaml", key=kinds[0], advice=f"rename the file to {name}.yaml"
            )
        if name in self._files or name in self.types.forms:
            raise top.error(
                f"`{name}` is the name of two files", key=kinds[0], advice="a name is used once in all of spec/layouts"
            )
        if kinds == ["form"]:
            self.types.add_form(name, top)
        else:
            self._files[name] = top

    def layout(self, name: str) -> Layout | None:
        """Return the layout of that name, loading it if need be; None if there is none."""
        if name in self.layouts:
            return self.layouts[name]
        if name not in self._files:
            return None
        top = self._files[name]
        if name in self._open:
            raise top.error(f"`{name}` contains itself: {' > '.join([*self._open, name])}", key="layout")
        self._open.append(name)
        self.layouts[name] = self._build(name, top)
        self._open.pop()
        return self.layouts[name]

    def _build(self, name: str, top: Section) -> Layout:
        top.only(*_LAYOUT_KEYS)
        endian = fields.endian(top)
        built = fields.build(top, self.types, endian)
        return Layout(
            name=name,
            title=top.text("title", required=True),
            fields=built,
            file=top.file,
            doc=top.text("doc"),
            since=top.text("since"),
            until=top.text("until"),
            source=top.text("source"),
            endian=endian,
        )

    def all(self) -> dict[str, Layout]:
        for name in self._files:
            self.layout(name)
        return self.layouts


def load(spec: Path) -> Specification:
    """Load all layouts below `spec`.

    Raises:
        LayoutError: a file is wrong; the message has file, line and advice.
    """
    loader = _Loader(spec)
    layouts = loader.all()
    forms: dict[str, Form] = loader.types.forms
    return Specification(
        layouts=MappingProxyType(layouts),
        forms=MappingProxyType(forms),
        enums=MappingProxyType(loader.enums),
        flags=MappingProxyType(_flags(spec)),
    )


@cache
def specification() -> Specification:
    """Return the specification that this installation carries, loaded once."""
    return load(data.path("spec"))


def find(name: str) -> Layout:
    """Return the layout of that name.

    Raises:
        LayoutError: there is none; the message suggests a near name.
    """
    layouts = specification().layouts
    if name not in layouts:
        raise LayoutError(f"there is no layout `{name}`", file="spec/layouts", line=1, advice=suggest(name, layouts))
    return layouts[name]
