"""The mutants that somebody wrote down, a direction and family in each module or a few.

Each is drawn from a bug that was found in the wild, or is a likely misreading.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from kafka_generator.mutants.mutant import CONTENT, LOG, PROTOCOL, START, Mutant, all_mutants


def load() -> list[Mutant]:
    """Return the mutants of records and brokers, by direction and family, as they are declared.

    Raises:
        UsageError: a declaration is wrong.
    """
    return [mutant for mutant in _all() if mutant.direction not in (*PROTOCOL, LOG, START, CONTENT)]


def load_protocol() -> list[Mutant]:
    """Return those of the protocol, ordered in the same way.

    Raises:
        UsageError: a declaration is wrong.
    """
    return [mutant for mutant in _all() if mutant.direction in PROTOCOL]


def _all() -> list[Mutant]:
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        import_module(module.name)
    return sorted(all_mutants(), key=lambda mutant: (mutant.direction, mutant.family))
