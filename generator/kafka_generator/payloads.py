"""The store of compressed payloads.

What a codec writes differs between versions of its library, so a vector that compressed anew on
every run would change with the machine. Each payload is compressed once, stored by what it was made
from, and an input from then on.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from kafka_tools.errors import UsageError

from kafka_generator.streams import STREAMS


class PayloadStore:
    """Compressed payloads by codec, variant and plain bytes; kept in one JSON file."""

    def __init__(self, file: Path, *, may_add: bool) -> None:
        """Read the file; with `may_add`, payloads that it lacks are compressed and added."""
        self._file = file
        self._may_add = may_add
        self._known: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        self._used: set[str] = set()

    def get(self, codec: str, variant: str, plain: bytes) -> bytes:
        """Return the payload of one stream variant.

        Raises:
            UsageError: there is no such variant, or the store lacks the payload and may not grow.
        """
        name = f"{codec}/{variant}"
        if name not in STREAMS:
            raise UsageError(f"there is no stream {name}.", f"Known: {', '.join(sorted(STREAMS))}.")
        key = f"{name}:{hashlib.sha256(plain).hexdigest()[:32]}"
        if key not in self._known:
            if not self._may_add:
                raise UsageError(f"{self._file.name} lacks {key}.", "Run `python generate.py`, which adds it.")
            self._known[key] = STREAMS[name](plain).hex()
        self._used.add(key)
        return bytes.fromhex(self._known[key])

    def text(self) -> str:
        """Return the file's text: only what was used, sorted."""
        return json.dumps({key: self._known[key] for key in sorted(self._used)}, indent=0) + "\n"
