"""The options of a run."""

from dataclasses import dataclass, field
from pathlib import Path

from kafka_conformance.child.launch import Limits
from kafka_conformance.scale.plan import Endurance, RunSettings
from kafka_conformance.targets.candidate import Candidate


@dataclass(frozen=True, slots=True)
class ScaleOptions:
    """The options of a run on Spark.

    Attributes:
        settings: what to check.
        candidates: the targets, in the order of the settings.
        master: a Spark master; empty for that of spark-submit.
        out: the folder of the run.
        resume: go on with the run that is in the folder.
        limits: time and memory a target may take.
        endurance: how much the run bears of a target that dies again and again.
        reduce_seconds: time to spend on making findings small, when all is done.
        only_reduce: do nothing else with the run that is in the folder.
    """

    settings: RunSettings
    candidates: tuple[Candidate, ...]
    master: str
    out: Path
    resume: bool = False
    limits: Limits = field(default_factory=Limits)
    endurance: Endurance = field(default_factory=Endurance)
    reduce_seconds: float = 0.0
    only_reduce: bool = False
