"""The classes of decoded values, for annotations: `from kafka_format.values import RecordBatch`.

There is one for each layout, by its name in capitals: a named tuple with the layout's fields. Each
is compiled when it is first asked for. values.pyi, which `generate.py` writes from the layouts,
tells editors and type checkers the fields.
"""

from __future__ import annotations

from functools import cache


@cache
def _layouts() -> dict[str, str]:
    """The names of the layouts by the names of their classes."""
    from kafka_format.codec.members import class_name  # noqa: PLC0415 - nothing is loaded before it is asked for
    from kafka_format.spec.layout import specification  # noqa: PLC0415 - loads on first use

    return {class_name(layout): name for name, layout in specification().layouts.items()}


def __getattr__(name: str) -> type:
    """Return the class of that name.

    Raises:
        AttributeError: no layout has a class of that name.
    """
    if name.startswith("_") or name not in _layouts():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kafka_format.codec.compiler.structure import structure  # noqa: PLC0415 - loads on first use

    value_class: type = structure(_layouts()[name]).type
    globals()[name] = value_class
    return value_class


def __dir__() -> list[str]:
    """List the classes."""
    return sorted(_layouts())
