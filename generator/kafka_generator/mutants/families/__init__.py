"""The mutants that somebody wrote down, a direction and family in each module or a few.

Each is drawn from a bug that was found in the wild, or is a likely misreading.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from kafka_generator.mutants.mutant import Mutant, declared


def load() -> list[Mutant]:
    """Return all of them, by direction and family, in the order of the declarations.

    Raises:
        UsageError: a declaration is wrong.
    """
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        import_module(module.name)
    return sorted(declared(), key=lambda mutant: (mutant.direction, mutant.family))
