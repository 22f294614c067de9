"""Readers of keys and values that are wrong in one thing on purpose: what a vector must show.

They are declared as the mutants of records are (`kafka_generator.mutants.families`), and patch the
reference with the same `Patch`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from kafka_generator.mutants.mutant import CONTENT, Mutant, all_mutants


def load() -> list[Mutant]:
    """Return the mutants of readers of keys and values, by family, as they are declared.

    Raises:
        UsageError: a declaration is wrong.
    """
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        import_module(module.name)
    return sorted((mutant for mutant in all_mutants() if mutant.direction == CONTENT), key=lambda mutant: mutant.family)
