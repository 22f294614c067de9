"""The page of bugs: those in known programs, and those that people reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Finding, FindingKind
from kafka_generator.bugs import Bug

from kafka_site.addresses import Address
from kafka_site.bugs import name, without_version
from kafka_site.model import Page, Site
from kafka_site.templates import render

_ISSUE: Final = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")
_SHOWN: Final = 6
_WORDS: Final = {
    FindingKind.REACHABLE: "real data can reach it",
    FindingKind.HOSTILE: "only crafted bytes reach it",
    FindingKind.LAX: "it takes wrong bytes that Kafka refuses",
    FindingKind.TOLERATED: "looked at, and left so",
}


def pages(site: Site) -> Iterator[Page]:
    """Yield the page."""
    findings = [Address("finding", name(finding), "bugs", f"finding-{name(finding)}") for finding in site.bugs.findings]
    reports = dict.fromkeys(report for bug in site.bugs.reported for report in bug.reports)
    yield Page(
        "bugs",
        [*findings, *(Address("report", report, "bugs", _anchor(report)) for report in reports)],
        partial(_text, site),
    )


def _anchor(report: str) -> str:
    """Return the anchor of a report: its name, without the sign that begins an anchor."""
    return f"report-{report.replace('#', '-')}"


def _text(site: Site) -> str:
    return render(
        "bugs.md.j2",
        by_subject={subject: _by_target(findings) for subject, findings in site.bugs.by_subject.items()},
        manifests=manifest.load_all(),
        words=_WORDS,
        reported=_reports(site),
        name=name,
        vectors_of=site.bugs.vectors_of,
        rules_of=site.bugs.rules_of,
        url=_url,
        without_version=without_version,
        address=partial(site.addresses.url, page="bugs"),
        shown=_SHOWN,
        link=partial(site.addresses.link, page="bugs"),
        has=site.addresses.has,
    )


def _by_target(findings: Iterable[Finding]) -> Mapping[str, list[Finding]]:
    by_target: dict[str, list[Finding]] = {}
    for finding in findings:
        by_target.setdefault(finding.target, []).append(finding)
    return by_target


def _reports(site: Site) -> Mapping[str, list[tuple[Bug, list[tuple[str, str]]]]]:
    """Return by subject each bug, and its reports with their anchors.

    A report of two bugs has its anchor at the first.
    """
    by_target: dict[str, list[tuple[Bug, list[tuple[str, str]]]]] = {}
    seen: set[str] = set()
    for bug in site.bugs.reported:
        reports = [(report, "" if report in seen else _anchor(report)) for report in bug.reports]
        by_target.setdefault(bug.subject, []).append((bug, reports))
        seen.update(bug.reports)
    return by_target


def _url(report: str) -> str:
    """Return where a report is on the web; nothing if it is no issue."""
    issue = _ISSUE.fullmatch(report)
    return f"https://github.com/{issue.group(1)}/issues/{issue.group(2)}" if issue else ""
