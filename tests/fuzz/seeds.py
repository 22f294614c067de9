"""The vectors' bytes, from which hostile ones are made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from kafka_format.spec import data

LONGEST: Final = 3000


def seeds(formats: Sequence[str]) -> list[bytes]:
    """Return the bytes of the vectors that have these formats only, without the few long ones."""
    found = []
    for file in sorted(data.path("vectors").glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            vector = json.loads(line)
            is_short = "hex" in vector and len(vector["hex"]) <= 2 * LONGEST
            if is_short and set(vector["formats"]) <= set(formats):
                found.append(bytes.fromhex(vector["hex"]))
    return found
