"""The folder of a report: a run for programs, for build servers, and as a site of pages.

    report.json        for programs; described by spec/schema/report.schema.json
    report.junit.xml   for build servers
    summary.md         for the summary of a CI run
    html/index.html    for people; opens from disk
    appends.jsonl      for programs; what brokers did with each vector, if there are any
    badges/*.json      for a target's README; shields.io draws them

Every report is made from the same frozen `Run`, and none trusts what a target said: see
`kafka_tools.text`.
"""

from pathlib import Path

from kafka_tools.errors import UsageError

from kafka_conformance.reports import appends, badges, html, json_report, junit, markdown
from kafka_conformance.run.run import Run


def write(run: Run, directory: Path) -> list[Path]:
    """Write every report of a run into a directory, made if need be; return the written files.

    What an earlier run left there is replaced.

    Raises:
        UsageError: the directory cannot be written to.
    """
    singles = {"report.json": json_report.write, "report.junit.xml": junit.write, "summary.md": markdown.write}
    if appends.brokers(run):
        singles["appends.jsonl"] = appends.write
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, writer in singles.items():
            writer(run, directory / name)
        pages = html.write(run, directory / "html")
        return [*(directory / name for name in singles), *pages, *badges.write(run, directory / "badges")]
    except OSError as error:
        raise UsageError(
            f"cannot write the report to {directory}: {error.strerror}.", "Name another directory."
        ) from None
