"""The summary of an audit as one page of HTML, which opens from disk and loads nothing."""

from kafka_format.spec.rules import rules

from kafka_tools.audit.summary import AuditSummary
from kafka_tools.logs.effects import effect
from kafka_tools.show.pages import environment
from kafka_tools.text import one_line, plural, size_text

PARTITIONS = 500
"""Most partitions and replicas that are shown; the Parquet files have them all."""


def page(summary: AuditSummary) -> str:
    """Return the text of the page."""
    pages = environment("kafka_tools.audit")
    pages.filters |= {"brief": one_line, "sized": size_text, "counted": plural}
    return pages.get_template("audit.html.j2").render(
        summary=summary, known=rules(), effect=effect, most=PARTITIONS, cost=summary.cost
    )
