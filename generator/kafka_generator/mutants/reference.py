"""The reference as imported: where its modules have a function, and what they cache."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from types import CodeType, ModuleType
from typing import Any, Final

from kafka_format import structure
from kafka_format.spec.layout import specification
from kafka_tools.errors import UsageError

PACKAGE: Final = "kafka_format"
_READER: Final = "kafka_conformance.serving.log_results"
"""The reference as a reader of log directories: it calls functions of the package by name."""
_OTHERS: Final = (
    "kafka_format.codec.compiler.names.",
    "kafka_format.compression.",
    "kafka_format.spec.data.",
    "kafka_format.spec.flags.",
    "kafka_format.spec.layout.release_names.",
    "kafka_format.spec.layout.release_table.",
    "kafka_format.spec.releases.",
    "kafka_format.spec.rules.",
)
"""What the names of caches start with that no layout changes."""

Cached = Any
"""A function with `functools.cache`; its class has no public name."""


def reference_modules() -> list[ModuleType]:
    """Return the modules of the reference that are imported."""
    return [module for name, module in sys.modules.items() if name.partition(".")[0] == PACKAGE or name == _READER]


def place_of(function: Callable[..., object]) -> tuple[ModuleType | type, str]:
    """Return the module or class that has a function of the reference, and its name there.

    Raises:
        UsageError: it is not of the reference, or does not stand there, so nobody calls it by that
            name.
    """
    owner: Any = next((module for module in reference_modules() if module.__name__ == function.__module__), None)
    *path, name = function.__qualname__.split(".")
    for part in path:
        owner = getattr(owner, part, None)
    if owner is None or vars(owner).get(name) is not function:
        raise UsageError(
            f"{function.__module__}.{function.__qualname__} does not stand under that name in the reference.",
            "Give a function of the reference, as `module.function` or `module.Class.method`.",
        )
    return owner, name


def code_of(function: Callable[..., object]) -> CodeType:
    """Return the code of a function of the reference, also if it has a cache or was wrapped."""
    code: CodeType = inspect.unwrap(function).__code__
    return code


@cache
def prepare() -> None:
    """Load and compile all layouts, while the reference is right and nobody watches it."""
    for name in specification().layouts:
        structure(name)


def caches() -> list[Cached]:
    """Return the functions of the reference that keep their results."""
    by_id = {
        id(value): value
        for module in reference_modules()
        for value in vars(module).values()
        if hasattr(value, "cache_clear") and value.__module__.startswith(PACKAGE)
    }
    return list(by_id.values())


def of_specification() -> list[Cached]:
    """Return the caches whose contents are made of the layouts."""
    return [cached for cached in caches() if not f"{cached.__module__}.{cached.__qualname__}".startswith(_OTHERS)]


def fresh(cached: Cached) -> Cached:
    """Return the same function with an empty cache."""
    return cache(cached.__wrapped__)
