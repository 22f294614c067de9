"""A variant: a base, and what is done to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kafka_generator.start_vectors.edits import Edit

NEWEST = ("4.4.0",)
DATA = "data"
QUORUM = f"{DATA}/__cluster_metadata-0"


@dataclass(frozen=True)
class Case:
    """A variant of a base.

    Attributes:
        id: stable name; its first part is the kind of damage.
        title: what is special about it.
        base: the name of the base.
        edits: what is done to the base, in order.
        role: `combined`, `controller` or `broker`.
        log_dirs: the data directories, in the order of the setting.
        settings: settings that the node is given besides.
        breaks: rules that it breaks though the node serves as before; others follow from what came.
        releases: those that are started on it; 3.9.2 ends at the newest snapshot of 4.4.0 whatever
            stands behind that.
    """

    id: str
    title: str
    base: str
    edits: tuple[Edit, ...] = ()
    role: str = "combined"
    log_dirs: tuple[str, ...] = (DATA,)
    settings: dict[str, str] = field(default_factory=dict)
    releases: tuple[str, ...] = ("3.9.2", "4.4.0")
    breaks: tuple[str, ...] = ()

    def line(self) -> dict[str, Any]:
        """Return the variant as it is stored, without what Kafka did."""
        line = {
            "id": f"start/{self.id}",
            "title": self.title,
            "base": self.base,
            "role": self.role,
            "log_dirs": list(self.log_dirs),
            "edits": list(self.edits),
        }
        line["releases"] = list(self.releases)
        return line | ({"settings": self.settings} if self.settings else {})
