"""The mutants that somebody wrote down, a direction and family in each module or a few.

Each is drawn from a bug that was found in the wild, or is a likely misreading.
"""

from __future__ import annotations

import sys

from kafka_generator.mutants.mutant import PROTOCOL, Mutant, declared_in


def load() -> list[Mutant]:
    """Return the mutants of records and brokers, by direction and family, as they are declared.

    Raises:
        UsageError: a declaration is wrong.
    """
    return [mutant for mutant in declared_in(sys.modules[__name__]) if mutant.direction not in PROTOCOL]


def load_protocol() -> list[Mutant]:
    """Return those of the protocol, ordered in the same way.

    Raises:
        UsageError: a declaration is wrong.
    """
    return [mutant for mutant in declared_in(sys.modules[__name__]) if mutant.direction in PROTOCOL]
