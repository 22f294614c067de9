"""What a case of log directories is: a directory, or a file by itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from kafka_generator.log_vectors.case_logs import Files


@dataclass(frozen=True)
class DirectoryCase:
    """A directory with one partition.

    Attributes:
        id: stable name.
        title: what is special about it.
        files: contents by path.
        breaks: all rules that it breaks.
        keeps: rules that it is about and keeps.
        start: the log start offset that a broker is given.
        beyond: offsets that are asked for, beside all up to the end of the log.
    """

    id: str
    title: str
    files: Files
    breaks: frozenset[str] = frozenset()
    keeps: frozenset[str] = frozenset()
    start: int = 0
    beyond: tuple[int, ...] = field(default=())

    @property
    def partition(self) -> str:
        """Name of the folder of the partition."""
        return next(path.partition("/")[0] for path in self.files if path.endswith(".log"))


@dataclass(frozen=True)
class FileCase:
    """A file, or only a name.

    Attributes:
        id: stable name.
        file: name of the file or folder.
        content: its bytes; None where the name alone is asked.
        rule: the rule that it breaks; empty for none.
        flag: the leniency by which Kafka reads it though it breaks the rule.
    """

    id: str
    file: str
    content: bytes | None
    rule: str = ""
    flag: str = ""

    @property
    def verdict(self) -> str:
        """What a strict reader says: `valid`, `invalid`, or `lenient` where Kafka reads it."""
        return "valid" if not self.rule else "lenient" if self.flag else "invalid"
