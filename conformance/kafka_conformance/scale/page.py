"""The summary of a run as one page of HTML, which opens from disk and loads nothing."""

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports.text import one_line, shown
from kafka_conformance.scale.summary import Summary, TargetSummary

SYMPTOMS = 200
"""Most symptoms of a target that are shown; summary.json has them all."""


def page(summary: Summary) -> str:
    """Return the text of the page."""
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("kafka_conformance.scale"), PackageLoader("kafka_conformance.reports.html")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: shown(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"brief": one_line}
    sorts = sorted({(version, codec) for target in summary.targets for version, codec, _ in target.cells})
    return environment.get_template("summary.html.j2").render(
        summary=summary,
        timing=summary.timing,
        sorts=sorts,
        cell=_cell,
        outcomes=[outcome for outcome in Outcome if any(target.outcomes[outcome] for target in summary.targets)],
        most=SYMPTOMS,
    )


def _cell(target: TargetSummary, sort: tuple[str, str]) -> dict[str, int]:
    """How many batches of a format and codec passed, of how many that were put, and how many were not declared."""
    counts = {outcome: target.cells[*sort, outcome] for outcome in Outcome}
    gaps = counts[Outcome.UNSUPPORTED]
    return {"passed": counts[Outcome.PASSED], "asked": sum(counts.values()) - gaps, "gaps": gaps}
