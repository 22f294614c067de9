"""From spec/ to the model: everything is checked here, once, so that no reader of the model has to.

The loader refuses unknown keys, unknown types, references to fields that do not come earlier,
overlapping bits and numbers that do not fit, and says in which file, in which line, and what to
write instead. A file is read when something in it is first asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Final

from kafka_format.errors import LayoutError
from kafka_format.spec import data
from kafka_format.spec.layout import fields, tables
from kafka_format.spec.layout.lazy_mappings import Deferred, Once
from kafka_format.spec.layout.model import Enumeration, Form, Layout
from kafka_format.spec.layout.release_names import check_order, release_text
from kafka_format.spec.layout.types import TypeTable
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_format.spec.layout.versioned import loader as versioned_loader
from kafka_format.spec.layout.versioned.resolver import resolve
from kafka_format.spec.layout.yamlfile import Section, read, suggest

_LAYOUT_KEYS: Final = ("layout", "title", "doc", "since", "until", "source", "endian", "fields")
_VERSIONED: Final = ("layouts", "protocol")
"""The folder of the versioned layouts."""


@dataclass(frozen=True, slots=True)
class Specification:
    """All of spec/layouts with the enumerations and flags that it refers to.

    Attributes:
        flags: name of the leniency by the rule that it relaxes.
        versioned: the layouts of the protocol, each in all its versions.
    """

    layouts: Mapping[str, Layout]
    forms: Mapping[str, Form]
    enums: Mapping[str, Enumeration]
    flags: Mapping[str, str]
    versioned: Mapping[str, VersionedLayout] = field(default_factory=dict)


class _Loader:
    """Loads layouts on demand, so that a layout may use one in a file that comes later."""

    def __init__(self, spec: Path) -> None:
        self._spec = spec
        self._paths: dict[str, Path] = {}
        self._files: dict[str, Section] = {}
        self._open: list[str] = []
        self.enums = Once(partial(tables.enums, spec))
        self.forms: Deferred[Form] = Deferred(self._form_names, self._form)
        self.layouts: Deferred[Layout] = Deferred(self._layout_names, self._layout)
        self.versioned: Deferred[VersionedLayout] = Deferred(self._versioned_names, self._versioned_layout)
        self._types = TypeTable(self.enums, self.forms, self.layouts)
        for path in [*_files(spec / "layouts"), *_files(spec / "adapter")]:
            self._register(path)

    def _register(self, path: Path) -> None:
        if path.stem in self._paths:
            file = path.relative_to(self._spec).as_posix()
            advice = "a name is used once in spec/layouts and spec/adapter"
            raise LayoutError(f"`{path.stem}` is the name of two files", file=file, line=1, advice=advice)
        self._paths[path.stem] = path

    def _is_versioned(self, name: str) -> bool:
        return name in self._paths and self._paths[name].relative_to(self._spec).parts[:2] == _VERSIONED

    def _versioned_names(self) -> Iterator[str]:
        return (name for name in self._paths if self._is_versioned(name))

    def _form_names(self) -> Iterator[str]:
        return (name for name, kind in self._kinds() if kind == "form")

    def _layout_names(self) -> Iterator[str]:
        return (name for name, kind in self._kinds() if kind == "layout")

    def _kinds(self) -> Iterator[tuple[str, str]]:
        """Yield the names of all files without versions, and what each declares."""
        for name in list(self._paths):
            if not self._is_versioned(name):
                yield name, "form" if "form" in self._file(name).values else "layout"

    def _file(self, name: str) -> Section:
        """Return what a file says, and check that it is called what it declares."""
        if name not in self._files:
            path = self._paths[name]
            top = read(path, path.relative_to(self._spec).as_posix())
            _check_name(top, name)
            self._files[name] = top
        return self._files[name]

    def _declares(self, name: str, kind: str) -> bool:
        return name in self._paths and not self._is_versioned(name) and kind in self._file(name).values

    def _form(self, name: str) -> Form | None:
        return self._types.form(name, self._file(name)) if self._declares(name, "form") else None

    def _versioned_layout(self, name: str) -> VersionedLayout | None:
        if not self._is_versioned(name):
            return None
        return versioned_loader.build(self._file(name), self._types.enum, self._is_versioned)

    def _layout(self, name: str) -> Layout | None:
        if not self._declares(name, "layout"):
            return None
        top = self._file(name)
        if name in self._open:
            raise top.error(f"`{name}` contains itself: {' > '.join([*self._open, name])}", key="layout")
        self._open.append(name)
        try:
            return self._build(name, top)
        finally:
            self._open.pop()

    def _build(self, name: str, top: Section) -> Layout:
        top.only(*_LAYOUT_KEYS)
        endian = fields.endian(top)
        built = fields.build(top, self._types, endian)
        since, until = release_text(top, "since"), release_text(top, "until")
        check_order(top, since, until)
        return Layout(
            name=name,
            title=top.text("title", required=True),
            fields=built,
            file=top.file,
            doc=top.text("doc"),
            since=since,
            until=until,
            source=top.text("source"),
            endian=endian,
        )


def _files(folder: Path) -> Iterator[Path]:
    """Yield the YAML files in a folder and below, in order: `rglob` takes six times as long."""
    for inner, name in sorted((inner, name) for inner, _, names in os.walk(folder) for name in names):
        if name.endswith(".yaml"):
            yield Path(inner, name)


def _check_name(top: Section, name: str) -> None:
    kinds = [kind for kind in ("layout", "form") if kind in top.values]
    if len(kinds) != 1:
        raise top.error(
            "says neither `layout: NAME` nor `form: NAME`", advice="one of them, and only one, is the first line"
        )
    declared = top.name(kinds[0])
    if declared != name:
        raise top.error(
            f"`{declared}` stands in a file named {name}.yaml",
            key=kinds[0],
            advice=f"rename the file to {declared}.yaml",
        )


def load(spec: Path, *, whole: bool = True) -> Specification:
    """Load the layouts below `spec`.

    Args:
        spec: the folder.
        whole: False to have each file read when something in it is asked for. Versioned layouts
            always are.

    Raises:
        LayoutError: a file is wrong; the message has file, line and advice.
    """
    loader = _Loader(spec)
    result = Specification(
        layouts=loader.layouts,
        forms=loader.forms,
        enums=loader.enums,
        flags=Once(partial(tables.flags, spec)),
        versioned=loader.versioned,
    )
    if whole:
        for part in (result.enums, result.forms, result.layouts, result.flags):
            dict(part)
    return result


@cache
def specification() -> Specification:
    """Return the specification that this installation carries, made once."""
    return load(data.path("spec"), whole=False)


def find(name: str, version: int | None = None) -> Layout:
    """Return the layout of that name; of a versioned layout the version.

    Raises:
        LayoutError: there is none, it has no such version, or it has versions and none was said;
            the message says what there is.
    """
    known = specification()
    versioned = known.versioned.get(name)
    if versioned is not None:
        return _one_version(versioned, version)
    layout = known.layouts.get(name)
    if layout is None:
        near = suggest(name, [*known.layouts, *known.versioned])
        raise LayoutError(f"there is no layout `{name}`", file="spec/layouts", line=1, advice=near)
    if version is not None:
        raise LayoutError(f"`{name}` has no versions", file=f"spec/{layout.file}", line=1)
    return layout


def _one_version(layout: VersionedLayout, version: int | None) -> Layout:
    if version is None or version not in layout.versions:
        detail = f"`{layout.name}` needs a version" if version is None else f"`{layout.name}` has no version {version}"
        raise LayoutError(detail, file=f"spec/{layout.file}", line=1, advice=f"it has {layout.versions}")
    return resolve_once(layout.name, version)


@cache
def resolve_once(name: str, version: int) -> Layout:
    """Return a version of a layout, made once, for that takes milliseconds."""
    known = specification()
    return resolve(known.versioned[name], version, known.forms)
