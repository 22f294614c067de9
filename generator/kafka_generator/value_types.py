"""Stubs that tell editors and type checkers what a decoded value has: made from the layouts.

codec/structures.pyi finds the class for a literal name such as `structure("record_batch")`;
values.pyi says what each class has. protocol/values.pyi has the classes of versioned layouts, each
with the fields of all versions, and protocol/schemas.pyi finds them by the API. Nothing imports a
stub at run time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.codec.compiler import python_source
from kafka_format.codec.members import capitals, class_name
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Field, minimum_size
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_format.spec.layout.versioned.model import VersionedField, VersionedStructure
from kafka_format.spec.layout.versioned.versions import Versions

from kafka_generator.markdown import environment

_STUBS: Final = {
    "codec/structures.pyi": "structures.pyi.j2",
    "values.pyi": "values.pyi.j2",
    "protocol/values.pyi": "protocol_values.pyi.j2",
    "protocol/schemas.pyi": "schemas.pyi.j2",
}
"""The stubs of the package kafka_format, and the template of each."""

_SCALARS: Final = {"string": "str", "bool": "bool", "float64": "float"} | dict.fromkeys(
    ("bytes", "records", "uuid"), "bytes"
)
"""The Python types of scalars that are no integers, by the words of layouts."""


class VersionedClass(NamedTuple):
    """A structure of a versioned layout, as one class for all versions.

    Attributes:
        versions: those that have the structure.
    """

    name: str
    layout: VersionedLayout
    structure: VersionedStructure
    versions: Versions

    @property
    def has_tags(self) -> bool:
        """True if some of the versions may have tagged fields that the layout does not know."""
        return bool(self.versions.intersection(self.layout.flexible).numbers)

    @property
    def doc(self) -> str:
        """The docstring."""
        whole = self.structure is self.layout.body
        title = self.layout.title if whole else f"`{self.structure.name}` of {self.layout.title}"
        return f"{title}, versions {self.versions}"

    def annotation(self, field: VersionedField) -> str:
        """Return the type of a field's values, in any version."""
        kind = _SCALARS.get(field.type, "int")
        if field.structure is not None:
            kind = _inner_name(self.layout, field.structure)
        if field.is_array:
            kind = f"list[{kind}]"
        return f"{kind} | None" if field.nullable.numbers else kind

    def doc_of(self, field: VersionedField) -> str:
        """Return the docstring of a field, which ends with its versions where not all have it."""
        if self.versions.is_within(field.versions):
            return field.doc
        return f"{field.doc} Versions {field.versions} only.".strip()


def stubs() -> dict[str, str]:
    """Return the text of every stub by its place in the package kafka_format."""
    made = environment(Path(__file__).parent / "templates")
    made.filters["text"] = python_source.text
    made.globals |= {
        "annotation": _annotation,
        "capitals": capitals,
        "class_name": class_name,
        "named_bits": python_source.named_bits,
    }
    known = specification()
    given = {
        "layouts": list(known.layouts.values()),
        "versioned": list(known.versioned.values()),
        "classes": [
            versioned_class for layout in known.versioned.values() for versioned_class in versioned_classes(layout)
        ],
    }
    return {name: made.get_template(template).render(given) for name, template in _STUBS.items()}


def versioned_classes(layout: VersionedLayout) -> list[VersionedClass]:
    """Return the classes of a versioned layout, each once, inner ones first."""
    by_name: dict[str, VersionedClass] = {}
    for structure, versions in _structures(layout.body, layout.versions):
        before = by_name[structure.name].versions if structure.name in by_name else versions
        both = Versions(min(before.lowest, versions.lowest), max(before.highest, versions.highest))
        by_name[structure.name] = VersionedClass(_inner_name(layout, structure), layout, structure, both)
    return list(by_name.values())


def _structures(structure: VersionedStructure, versions: Versions) -> Iterator[tuple[VersionedStructure, Versions]]:
    """Yield the structures inside and the structure itself, each with the versions that have it."""
    for field in structure.fields:
        if field.structure is not None:
            yield from _structures(field.structure, versions.intersection(field.versions))
    yield structure, versions


def _inner_name(layout: VersionedLayout, structure: VersionedStructure) -> str:
    """Return `FetchRequest` for the layout itself, `FetchRequestFetchTopic` for one in it."""
    return capitals(layout.name) + ("" if structure is layout.body else capitals(structure.name))


def _annotation(field: Field) -> str:
    """Return a field's type. Constants are literal types: `magic` tells messages apart."""
    is_byte = field.const is not None and minimum_size(field.type) == 1
    kind = f"Literal[{field.const!r}]" if is_byte else python_source.annotation(field.type)
    return f"{kind} | None" if field.when else kind
