"""A badge a target, as JSON that shields.io draws: https://shields.io/badges/endpoint-badge.

A maintainer publishes the file and puts `https://img.shields.io/endpoint?url=...` into a README.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kafka_tools.text import one_line, plural

from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.reports import causes, summary
from kafka_conformance.reports.file_names import file_names
from kafka_conformance.reports.summary import State, Tally
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing, Target

UNKNOWN = "unknown"
"""The version of a function that says none."""

LABEL = "Kafka formats"

_COLOURS: Mapping[State, str] = {
    State.PASSED: "brightgreen",
    State.KNOWN: "yellow",
    State.GAP: "lightgrey",
    State.EMPTY: "lightgrey",
}
_BY_BUGS = ("red", "orange", "yellow")
"""Colours of those with findings: with bugs that users meet, with damaged data, only with crafted
bytes."""


def write(run: Run, directory: Path) -> list[Path]:
    """Write the badges and return their files. Badges of an earlier run are removed."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("*.json"):
        old.unlink()
    names = file_names((target.name for target in run.targets), ".json")
    tallies = summary.by_target(run)
    for target in run.targets:
        diagnosis = causes.diagnosis_of(run, target)
        text = json.dumps(badge(target, tallies[target.name], diagnosis), indent=2, ensure_ascii=False)
        (directory / names[target.name]).write_text(text + "\n", encoding="utf-8")
    return [directory / name for name in names.values()]


def badge(target: Target, tally: Tally, diagnosis: Diagnosis = causes.NONE) -> dict[str, Any]:
    """Return what stands on a target's badge."""
    if target.standing is not Standing.RAN:
        return _badge(target.standing.words, "lightgrey", is_error=target.standing.is_broken)
    version = f"{one_line(target.hello.version, 20)}: " if target.hello and target.hello.version != UNKNOWN else ""
    known = f", {tally.known} known" if tally.known else ""
    if tally.state is State.FAILED:
        met, damage, _ = causes.badness(diagnosis)
        words = plural(met, "bug") if met else "no bug"
        return _badge(f"{version}{words} that users meet{known}", _colour(met, damage))
    return _badge(f"{version}{tally.passed} of {tally.asked}{known}", _COLOURS[tally.state])


def _badge(message: str, colour: str, *, is_error: bool = False) -> dict[str, Any]:
    return {"schemaVersion": 1, "label": LABEL, "message": message, "color": colour, "isError": is_error}


def _colour(met: int, damage: int) -> str:
    return _BY_BUGS[0 if met else 1 if damage else 2]
