"""What clients say of wrong bytes: `python -m kafka_generator.error_texts TARGET...`.

Each target decodes the vectors that are invalid. Its texts, with the numbers taken out, go into
docs/error-texts.json with the rules that the bytes break; what is known of other targets stays. The
site makes a page of it, for people who come with an error.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.runner import RunOptions, run
from kafka_conformance.targets import resolve
from kafka_conformance.vectors.golden import load
from kafka_conformance.vectors.vector import Vector, Verdict

FILE: Final = Path(__file__).parents[2] / "docs" / "error-texts.json"

_NUMBER: Final = re.compile(r"0x[0-9a-fA-F]+|(?<![\w.-])-?(?=[a-f]*\d)[0-9a-f]+(?:\.\d+)?(?!\w)")
_RECORDS: Final = re.compile(r"^\d+ records?, then: | after \d+ records?$")
_EXAMPLES: Final = 3


def main(targets: Sequence[str]) -> int:
    """Ask the targets, and write what they said; return 0 if all of them ran."""
    known = json.loads(FILE.read_text(encoding="utf-8"))["targets"] if FILE.exists() else []
    vectors = [vector for vector in load() if vector.verdict is Verdict.INVALID]
    options = RunOptions(directions=frozenset({Direction.DECODE}))
    done = run([resolve.contestant(name) for name in targets], vectors, options)
    by_target: dict[str, list[Result]] = defaultdict(list)
    for result in done.results:
        by_target[result.target].append(result)
    kept = [row for row in known if row["name"] not in targets]
    ran = [target for target in done.targets if target.hello is not None]
    for target in ran:
        assert target.hello is not None  # noqa: S101 - for mypy
        texts = list(texts_of(by_target[target.name], vectors))
        hello = target.hello
        kept.append({"name": target.name, "version": hello.version, "language": hello.language, "texts": texts})
    document = {"targets": sorted(kept, key=lambda row: str(row["name"]))}
    FILE.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0 if len(ran) == len(targets) else 1


def texts_of(results: Iterable[Result], vectors: Iterable[Vector]) -> Iterable[dict[str, Any]]:
    """Yield each text of one target without its numbers, the most frequent first.

    With it come the rules that the bytes break, by the number of vectors, and some vectors.
    """
    invalid = [vector for vector in vectors if vector.verdict is Verdict.INVALID]
    rules = {vector.id: vector.fault.rule for vector in invalid if vector.fault is not None}
    by_text: dict[str, list[str]] = defaultdict(list)
    for result in results:
        if result.outcome is Outcome.PASSED and result.detail and result.vector in rules:
            by_text[general(result.detail)].append(result.vector)
    for text, ids in sorted(by_text.items(), key=lambda item: (-len(item[1]), item[0])):
        counts = Counter(rules[identity] for identity in ids)
        examples = sorted(ids, key=len)[:_EXAMPLES]
        yield {"text": text, "rules": dict(counts.most_common()), "vectors": examples}


def general(text: str) -> str:
    """Return a text with N in place of the numbers that differ from case to case."""
    return _NUMBER.sub("N", _RECORDS.sub("", text)).strip()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.error_texts", description=__doc__)
    parser.add_argument("targets", nargs="+", metavar="TARGET", help="known targets, as `run` takes them")
    sys.exit(main(parser.parse_args().targets))
