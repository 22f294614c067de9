"""What Kafka's own clients do in every conversation: `python -m kafka_generator.conversations`.

It needs `consumer-kafka-clients` and `producer-kafka-clients` to be installed, in the releases that
it asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import conversations, loader
from kafka_format.spec.layout.release_table import release_rows

FILE: Final = Path("cases", "oracle-conversation.json")

Oracle = Mapping[str, tuple[str, ...]]
"""By conversation, the releases that did what it says."""


def releases() -> list[str]:
    """Return the releases that are asked, the newest first: those that decide."""
    return [row.version for row in release_rows().values() if row.decides]


def read(directory: Path) -> Oracle:
    """Return the record of earlier runs; `directory` is vectors/."""
    file = directory / FILE
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {name: tuple(releases) for name, releases in known.items()}


def ask(directory: Path, patterns: Sequence[str] = ()) -> Iterable[str]:
    """Run Kafka's clients on conversations; record the passes, and return the failures.

    Args:
        directory: vectors/.
        patterns: only those whose id matches one of these; empty for all. Of others, what is
            recorded stays.
    """
    chosen = loader.of_family(conversations.FAMILY, patterns)
    asked = {vector.id for vector in chosen}
    known = {name: [*releases] for name, releases in read(directory).items() if name not in asked}
    wrong = []
    for release in releases():
        names = tuple(f"{kind}-kafka-clients@{release}" for kind in ("consumer", "producer"))
        candidates = resolve.candidates(names, every=False, ready=False)
        for result in runner.run(candidates, chosen).results:
            if result.outcome is Outcome.PASSED:
                known.setdefault(result.vector, []).append(f"kafka-clients {release}")
            elif result.outcome is not Outcome.UNSUPPORTED:
                wrong.append(f"{result.vector}: {release} {result.outcome.words}: {result.detail}")
    text = json.dumps(dict(sorted(known.items())), indent=0) + "\n"
    (directory / FILE).write_text(text, encoding="utf-8")
    return wrong
