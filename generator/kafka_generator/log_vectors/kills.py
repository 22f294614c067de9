"""Which vector of log directories shows what each wrong reader does wrong: vectors/log/kills.json.

`python -m kafka_generator.log_vectors.kills` puts the vectors to every mutant, the one that killed
it before first, then the smallest first, and stores the first one that kills it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_generator.log_vectors import agreement, files, mutants
from kafka_generator.mutants.kills import patched
from kafka_generator.mutants.mutant import Mutant

FILE: Final = "kills.json"
VECTORS: Final = Path(__file__).parents[3] / "vectors"


def is_killed(mutant: Mutant, vector: dict[str, Any]) -> bool:
    """Tell whether a vector shows that a mutant is wrong: it differs, or fails.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    with patched(mutant.change, mutant.id):
        try:
            return next(agreement.differences(vector), None) is not None
        except (NameError, SyntaxError):
            raise
        except Exception:  # noqa: BLE001 - a wrong reader may fail in any way
            return True


def kills(vectors: Iterable[dict[str, Any]], known: Mapping[str, str]) -> dict[str, str]:
    """Return for each mutant a vector that kills it, empty for none.

    `known` is the table before.
    """
    by_size = sorted(vectors, key=lambda vector: len(str(vector)))
    table = {}
    for mutant in mutants.load():
        before = known.get(mutant.id)
        known_first = sorted(by_size, key=lambda vector: vector["id"] != before)
        table[mutant.id] = next((vector["id"] for vector in known_first if is_killed(mutant, vector)), "")
    return table


def main() -> int:
    """Find what kills each mutant, and store it; 1 if one lives."""
    folder = VECTORS / files.FOLDER
    vectors = [*files.read(folder / files.DIRECTORIES).values(), *files.read(folder / files.FILES).values()]
    table = kills(vectors, json.loads((folder / FILE).read_text(encoding="utf-8")))
    (folder / FILE).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    survivors = [mutant for mutant, vector in table.items() if not vector]
    sys.stderr.write("\n".join([f"{len(table) - len(survivors)} of {len(table)} mutants killed", *survivors, ""]))
    return 1 if survivors else 0


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m kafka_generator.log_vectors.kills", description=__doc__).parse_args()
    sys.exit(main())
