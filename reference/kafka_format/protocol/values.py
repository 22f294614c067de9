"""The classes of decoded requests, responses and schema records, for annotations.

    from kafka_format.protocol.values import FetchRequest, FetchRequestFetchTopic

Each version of a layout has a class of its own, with the fields of that version. A class of this
module stands for all of them: a value of any version is an instance of it. It makes no values;
`structure("fetch_request", 12).type` does. values.pyi, which `generate.py` writes from the layouts,
tells editors and type checkers the fields of all versions, and which versions have a field that
others lack.
"""

from __future__ import annotations

from functools import cache
from typing import NoReturn

from kafka_format.codec.members import capitals
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned.model import VersionedStructure


class _AllVersions(type):
    """The class of a class that stands for those of all versions of a structure.

    Attributes:
        layout: name of the versioned layout.
        structure: name of the class that each version has.
    """

    layout: str
    structure: str

    def __instancecheck__(cls, value: object) -> bool:
        """Tell whether a value was decoded or made by a version of the layout."""
        module, _, _ = type(value).__module__.rpartition("_v")
        return module == f"kafka_format.compiled.{cls.layout}" and type(value).__name__ == cls.structure

    def __call__(cls, *_: object, **__: object) -> NoReturn:
        """Refuse to make a value: its fields depend on the version."""
        raise TypeError(f'the fields depend on the version: use structure("{cls.layout}", VERSION).type, or its .types')


@cache
def _classes() -> dict[str, tuple[str, str]]:
    """The layouts and structures by the names of their classes."""
    return {
        capitals(name) + ("" if structure == name else capitals(structure)): (name, structure)
        for name, layout in specification().versioned.items()
        for structure in _names(layout.body)
    }


def _names(structure: VersionedStructure) -> list[str]:
    inner = [name for field in structure.fields if field.structure is not None for name in _names(field.structure)]
    return [*inner, structure.name]


def __getattr__(name: str) -> type:
    """Return the class of that name.

    Raises:
        AttributeError: no versioned layout has a class of that name.
    """
    if name.startswith("_") or name not in _classes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    layout, structure = _classes()[name]
    made = _AllVersions(name, (), {"__module__": __name__, "layout": layout, "structure": capitals(structure)})
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    """List the classes."""
    return sorted(_classes())
