"""Condenses a run over requests and responses, for the table of docs/protocol-findings.md.

`python generate.py --message-results REPORT` makes docs/protocol-results.json of the report.json of
`kafka-conformance run --about messages`. A report of some targets alone changes only their lines.
Making the page needs no target.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.message.kind import load_messages
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.loader import EVERY
from kafka_tools.errors import UsageError

FILE: Final = "protocol-results.json"

_COUNTED: Final = {
    "right": (Outcome.PASSED,),
    "misread": (Outcome.WRONG_ANSWER, Outcome.PARTIAL_ANSWER),
    "refused": (Outcome.REFUSED_VALID,),
    "accepted": (Outcome.ACCEPTED_INVALID,),
}
"""The columns of the table, and what they count. All else is a process that was lost."""


def results(report: Path, known: Path | None = None) -> str:
    """Condense the report.json of a run into the text of docs/protocol-results.json.

    Args:
        report: the report.
        known: the file as it is: lines of targets that did not take part in the run are kept. A
            line says how many questions its run had, if the first one had another number.

    Raises:
        UsageError: it is of another run than one over all vectors of the protocol.
    """
    run = json.loads(report.read_text(encoding="utf-8"))
    asked = len(load_messages(EVERY))
    hellos = {target["name"]: target["hello"] for target in run["targets"] if target["hello"]}
    for line in run["summary"]:
        if line["asked"] + line["gaps"] != asked:
            hint = "Take the report of `kafka-conformance run --ready --about messages`."
            raise UsageError(f"{report} has not the result of every vector for {line['target']}.", hint)
    targets = [_line(line, hellos[line["target"]]) for line in run["summary"] if line["target"] in hellos]
    earlier: dict[str, Any] = {"questions": asked, "targets": []}
    if known is not None:
        before = json.loads(known.read_text(encoding="utf-8"))
        kept = {line["name"] for line in before["targets"]} - {line["name"] for line in targets}
        earlier = before if kept else earlier
    own = {"questions": asked} if asked != earlier["questions"] else {}
    lines = {line["name"]: line for line in earlier["targets"]} | {line["name"]: line | own for line in targets}
    first, *others = lines.values()
    ordered = [first, *sorted(others, key=lambda line: str(line["name"]).partition("@")[0])]
    return json.dumps({"questions": earlier["questions"], "targets": ordered}, indent=1, ensure_ascii=False) + "\n"


def _line(summary: dict[str, Any], hello: dict[str, Any]) -> dict[str, Any]:
    outcomes = summary["outcomes"]
    counted = {name: sum(outcomes.get(vector, 0) for vector in about) for name, about in _COUNTED.items()}
    return {
        "name": summary["target"],
        "version": hello["version"],
        "language": hello["language"],
        "form": hello["apis"]["form"],
        "asked": summary["asked"],
        **counted,
        "lost": summary["asked"] - sum(counted.values()),
        **({"not_asked": outcomes["not-asked"]} if outcomes.get("not-asked") else {}),
        "bugs": {name: summary["bugs"][name] for name in ("met", "damage", "crafted")},
    }
