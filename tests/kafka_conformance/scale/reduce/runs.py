"""Folders of runs as Spark leaves them, made by the same tasks without Spark."""

from importlib.metadata import version
from pathlib import Path

from kafka_conformance.child.launch import Limits
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.scale import plan, work
from kafka_conformance.scale.ask.checker import Commands
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.results.run_folder import RunFolder
from kafka_conformance.scale.work import Job
from kafka_conformance.targets import resolve
from kafka_tools.system.distribution import DISTRIBUTION


def write_run(out: Path, target: str, profile: str, batches: int) -> None:
    """Put the batches of seed 7 to a target, and leave the rows in a folder."""
    settings = RunSettings((target,), batches, 7, profile, batches)
    command = resolve.candidate(target).command
    assert command is not None
    with Asker(target, command, Limits()) as asker:
        folder = RunFolder(out, settings, [asker.hello], version(DISTRIBUTION), resume=False)
    [rows] = work.run(Job(settings, (Commands(command),), Limits()), plan.chunks(settings))
    folder.write(rows.done, rows.findings)
