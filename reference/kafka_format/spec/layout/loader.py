"""From spec/ to the model: everything is checked here, once, so that no reader of the model has to.

The loader refuses unknown keys, unknown types, references to fields that do not come earlier, overlapping bits and
numbers that do not fit, and says in which file, in which line, and what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from kafka_format.errors import LayoutError
from kafka_format.spec import data
from kafka_format.spec.layout import fields
from kafka_format.spec.layout.model import Enumeration, Form, Layout, Specification
from kafka_format.spec.layout.types import TypeTable
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_format.spec.layout.versioned import loader as versioned_loader
from kafka_format.spec.layout.versioned.resolver import resolve
from kafka_format.spec.layout.yamlfile import Section, read, suggest

_LAYOUT_KEYS: Final = ("layout", "title", "doc", "since", "until", "source", "endian", "fields")
_VERSIONED: Final = "protocol"
"""The folder of the versioned layouts. They are many, so each is read when it is asked for."""


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
    numbers = {int(number): word for number, word in values.values.items() if number.removeprefix("-").isdecimal()}
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
            if path.relative_to(spec / "layouts").parts[0] != _VERSIONED:
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


class _VersionedLayouts(Mapping[str, VersionedLayout]):
    """The versioned layouts by name; each is loaded when it is asked for."""

    def __init__(self, spec: Path, types: TypeTable, taken: Mapping[str, Layout]) -> None:
        self._spec = spec
        self._types = types
        self._files: dict[str, Path] = {}
        self._loaded: dict[str, VersionedLayout] = {}
        for path in sorted((spec / "layouts" / _VERSIONED).rglob("*.yaml")):
            other = "another file" if path.stem in self._files else "a layout"
            if path.stem in self._files or path.stem in taken:
                file = path.relative_to(spec).as_posix()
                raise LayoutError(f"`{path.stem}` is the name of {other} too", file=file, line=1)
            self._files[path.stem] = path

    def __getitem__(self, name: str) -> VersionedLayout:
        """Return a layout, loading it if need be."""
        if name not in self._loaded:
            path = self._files[name]
            top = read(path, path.relative_to(self._spec).as_posix())
            layout = versioned_loader.build(top, self._types.enum)
            if layout.name != name:
                raise top.error(f"`{layout.name}` stands in a file named {name}.yaml", key="layout")
            self._loaded[name] = layout
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._files)

    def __len__(self) -> int:
        """Count the layouts."""
        return len(self._files)


def load(spec: Path) -> Specification:
    """Load the layouts below `spec`, the versioned ones when they are asked for.

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
        versioned=_VersionedLayouts(spec, loader.types, layouts),
    )


@cache
def specification() -> Specification:
    """Return the specification that this installation carries, loaded once."""
    return load(data.path("spec"))


@cache
def find(name: str, version: int | None = None) -> Layout:
    """Return the layout of that name; of a versioned layout the version.

    Raises:
        LayoutError: there is none, it has no such version, or it has versions and none was said; the message says what
            there is.
    """
    known = specification()
    if name in known.versioned:
        return _one_version(known.versioned[name], version)
    if name not in known.layouts:
        near = suggest(name, [*known.layouts, *known.versioned])
        raise LayoutError(f"there is no layout `{name}`", file="spec/layouts", line=1, advice=near)
    if version is not None:
        raise LayoutError(f"`{name}` has no versions", file=f"spec/{known.layouts[name].file}", line=1)
    return known.layouts[name]


def _one_version(layout: VersionedLayout, version: int | None) -> Layout:
    if version is None or version not in layout.versions:
        detail = f"`{layout.name}` needs a version" if version is None else f"`{layout.name}` has no version {version}"
        raise LayoutError(detail, file=f"spec/{layout.file}", line=1, advice=f"it has {layout.versions}")
    return resolve(layout, version, specification().forms)
