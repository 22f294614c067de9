"""The summary of an audit as one page of HTML, which opens from disk and loads nothing."""

from kafka_format.spec.rules import rules

from kafka_tools.audit.summary import AuditSummary
from kafka_tools.logs.effects import effect
from kafka_tools.show.pages import environment
from kafka_tools.text import one_line, plural

PARTITIONS = 500
"""Most partitions and replicas that are shown; the Parquet files have them all."""


def page(summary: AuditSummary) -> str:
    """Return the text of the page."""
    pages = environment("kafka_tools.audit")
    pages.filters |= {"brief": one_line, "sized": size_text, "counted": plural}
    return pages.get_template("audit.html.j2").render(
        summary=summary, known=rules(), effect=effect, most=PARTITIONS, cost=summary.cost
    )


def size_text(number: int) -> str:
    """Return a number of bytes with its unit: `129.5 KiB`."""
    size, units = float(number), ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while size >= 1024 and len(units) > 1:
        size, units = size / 1024, units[1:]
    return f"{number:,} bytes" if units[0] == "bytes" else f"{size:,.1f} {units[0]}"
