"""How an audit is to be done."""

from dataclasses import dataclass
from pathlib import Path

from kafka_format.log_columns.slices import SLICE


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """The options of an audit.

    Attributes:
        directories: data directories, or folders of partitions.
        master: a Spark master; empty for that of spark-submit.
        out: the folder of the audit.
        slice_size: bytes of a slice.
        replicas: compare partitions that are in several of the directories.
        resume: go on with the audit that is in the folder.
    """

    directories: tuple[Path, ...]
    master: str
    out: Path
    slice_size: int = SLICE
    replicas: bool = False
    resume: bool = False
