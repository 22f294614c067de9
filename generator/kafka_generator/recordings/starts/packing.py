"""Packs the directories that `bases` wrote.

`python -m kafka_generator.recordings.starts.packing FOLDER` writes vectors/start/bases.jsonl.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from kafka_generator.start_vectors import files

_WRITERS: Final = {"static": "3.9.2", "dynamic": "4.4.0", "controller": "3.9.2", "broker": "3.9.2"}
_LEFT_OUT: Final = {".lock"}
_PREALLOCATED: Final = 100_000
"""4.4.0 leaves indexes of the metadata log in their full size, and makes them anew at a start."""


def pack(name: str, folder: Path) -> dict[str, Any]:
    """Return a base: all files below a folder, in hex, by their paths."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in _LEFT_OUT]
    kept = [path for path in paths if path.stat().st_size < _PREALLOCATED]
    content = {path.relative_to(folder.parent).as_posix(): path.read_bytes().hex() for path in kept}
    return {"id": name, "writer": _WRITERS[name], "files": content}


def main() -> int:
    """Write the file of bases."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what `bases` wrote")
    folder = parser.parse_args().folder
    files.write(files.FOLDER / files.BASES, [pack(name, folder / name / "data") for name in _WRITERS])
    return 0


if __name__ == "__main__":
    sys.exit(main())
