"""The summary of a run as one page of HTML, which opens from disk and loads nothing."""

from collections.abc import Mapping

from kafka_tools.show.pages import environment
from kafka_tools.text import one_line

from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.reduce import text
from kafka_conformance.scale.report.terminal import cores
from kafka_conformance.scale.results.causes import groups
from kafka_conformance.scale.results.fate import FATES, Fate
from kafka_conformance.scale.results.summary import ScaleSummary, TargetSummary

SYMPTOMS = 200
"""Most symptoms of a target that are shown; summary.json has them all."""


def page(summary: ScaleSummary) -> str:
    """Return the text of the page."""
    pages = environment("kafka_conformance.scale.report")
    pages.filters |= {"brief": one_line}
    sorts = sorted({(version, codec) for target in summary.targets for version, codec, _ in target.cells})
    return pages.get_template("summary.html.j2").render(
        summary=summary,
        timing=summary.timing,
        cores=cores,
        sorts=sorts,
        cell=_cell,
        rules=sorted({(rule, fault) for target in summary.targets for rule, fault, _ in target.rules}),
        rule_cell=_rule_cell,
        outcomes=[outcome for outcome in FATES if any(target.outcomes[outcome] for target in summary.targets)],
        most=SYMPTOMS,
        causes=groups(summary.reductions.reduced),
        text=text,
    )


def _cell(target: TargetSummary, sort: tuple[str, str]) -> dict[str, int]:
    """The batches of a format and codec that passed, of those that were put."""
    return _share({outcome: target.cells[*sort, outcome] for outcome in FATES})


def _rule_cell(target: TargetSummary, fault: tuple[str, str]) -> dict[str, int]:
    """The same for the batches with a fault; `fault` is a rule and the name of the fault."""
    return _share({outcome: target.rules[*fault, outcome] for outcome in FATES})


def _share(counts: Mapping[Fate, int]) -> dict[str, int]:
    asked = sum(number for outcome, number in counts.items() if outcome.was_asked)
    return {"passed": counts[Outcome.PASSED], "asked": asked}
