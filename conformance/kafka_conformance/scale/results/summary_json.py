"""The summary of a run as JSON: what `summary.json` holds. docs/scale.md describes it."""

from dataclasses import asdict
from typing import Any

from kafka_conformance.scale.results.causes import groups
from kafka_conformance.scale.results.summary import ScaleSummary, TargetSummary

KIND = "kafka-format-conformance scale summary"


def document(summary: ScaleSummary) -> dict[str, Any]:
    """A summary as what `json.dumps` takes; docs/scale.md describes it."""
    derived = ("rate", "billion_hours", "billion_cpu_hours")
    timing = asdict(summary.timing) | {name: getattr(summary.timing, name) for name in derived}
    return {
        "kind": KIND,
        "settings": asdict(summary.settings),
        "complete": not summary.gaps,
        "gaps": list(summary.gaps),
        "interrupted": summary.interrupted,
        "timing": {name: round(value, 3) for name, value in timing.items()},
        "targets": [_target(target) for target in summary.targets],
        "reduced": [asdict(cause) for cause in summary.reductions.reduced],
        "causes": [
            {"findings": [number for number, _ in cause.findings], "batches": cause.batches}
            for cause in groups(summary.reductions.reduced)
        ],
        "not_reduced": summary.reductions.left,
    }


def _target(target_summary: TargetSummary) -> dict[str, Any]:
    cells = [
        {"format": version, "codec": codec, "outcome": outcome, "batches": number}
        for (version, codec, outcome), number in sorted(target_summary.cells.items())
    ]
    rules = [
        {"rule": rule, "fault": fault, "outcome": outcome, "batches": number}
        for (rule, fault, outcome), number in sorted(target_summary.rules.items())
    ]
    return {
        "target": target_summary.target,
        "name": target_summary.hello.name,
        "version": target_summary.hello.version,
        "language": target_summary.hello.language,
        "compared": target_summary.compared,
        "findings": target_summary.findings,
        "given_up": target_summary.given_up,
        "outcomes": dict(sorted(target_summary.outcomes.items())),
        "cells": cells,
        "rules": rules,
        "symptoms": [asdict(symptom) for symptom in target_summary.symptoms],
        "seconds": round(target_summary.seconds, 3),
        "problems": list(target_summary.problems),
        "notes": list(target_summary.notes),
    }
