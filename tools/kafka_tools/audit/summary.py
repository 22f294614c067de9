"""An audit in numbers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kafka_tools.audit.options import AuditOptions
from kafka_tools.audit.rows import AuditFinding, PartitionRow, ReplicaRow


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an audit, without the part that an earlier command did.

    Attributes:
        cores: tasks that run at a time.
        seconds: from the first slice to the last rule, without the start of Spark.
        scanned: bytes of slices.
        worker_memory: most resident bytes of a worker; `driver_memory` of the command.
    """

    cores: int = 0
    seconds: float = 0.0
    scanned: int = 0
    worker_memory: int = 0
    driver_memory: int = 0


@dataclass(frozen=True, slots=True)
class RuleCount:
    """Findings of one rule.

    Attributes:
        rule: id of the rule.
        findings: how many are kept.
        partitions: how many partitions have one.
        first: one of them.
    """

    rule: str
    findings: int
    partitions: int
    first: AuditFinding


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """An audit in numbers.

    Attributes:
        options: what was asked.
        partitions: a row for each.
        findings: all that are kept.
        replicas: a row for each replica, if they were compared.
        cost: what it cost.
    """

    options: AuditOptions
    partitions: tuple[PartitionRow, ...]
    findings: tuple[AuditFinding, ...]
    replicas: tuple[ReplicaRow, ...]
    cost: Cost

    @property
    def breach_count(self) -> int:
        """The number of broken rules, including those that have no row."""
        return len(self.findings) + sum(row.left_out for row in self.partitions)

    @property
    def problems(self) -> list[str]:
        """Partitions and replicas that could not be read."""
        problems = [row.problem for row in self.partitions] + [row.problem for row in self.replicas]
        return [problem for problem in problems if problem]

    @property
    def differing(self) -> list[ReplicaRow]:
        """Replicas that have other records than the one that Kafka trusts."""
        return [row for row in self.replicas if row.differences]

    @property
    def status(self) -> int:
        """The exit status: 0 nothing is wrong, 1 something is, 2 something could not be read."""
        if self.problems:
            return 2
        return 1 if self.findings or self.differing else 0

    @property
    def rules(self) -> list[RuleCount]:
        """Findings by rule, the most frequent first."""
        by_rule: dict[str, list[AuditFinding]] = {}
        for finding in self.findings:
            by_rule.setdefault(finding.rule, []).append(finding)
        counts = [
            RuleCount(rule, len(findings), _partitions(findings), findings[0]) for rule, findings in by_rule.items()
        ]
        return sorted(counts, key=lambda count: (-count.findings, count.rule))

    @property
    def worst(self) -> list[PartitionRow]:
        """Partitions with findings, those with the most first."""
        return sorted((row for row in self.partitions if row.findings), key=lambda row: -row.findings)

    def total(self, name: str) -> int:
        """Return the sum of one of the numbers of partitions."""
        return sum(getattr(row, name) for row in self.partitions)


def document(summary: AuditSummary) -> dict[str, Any]:
    """Return the summary as what `json.dumps` takes; `docs/audit.md` describes it."""
    names = ("segments", "bytes", "batches", "records", "judged")
    return {
        "directories": [str(directory) for directory in summary.options.directories],
        "status": summary.status,
        "partitions": len(summary.partitions),
        **{name: summary.total(name) for name in names},
        "findings": summary.breach_count,
        "rules": {count.rule: {"findings": count.findings, "partitions": count.partitions} for count in summary.rules},
        "replicas": {"compared": len(summary.replicas), "differing": [asdict(row) for row in summary.differing]},
        "problems": summary.problems,
        "cost": asdict(summary.cost),
    }


def _partitions(audit_findings: Sequence[AuditFinding]) -> int:
    return len(Counter((finding.directory, finding.partition) for finding in audit_findings))
