"""Packs the directories that `bases` wrote.

`python -m kafka_generator.recordings.starts.packing FOLDER` writes vectors/start/bases.jsonl.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

from kafka_generator.start_vectors import files

_WRITERS: Final = {
    "static": "3.9.2", "dynamic": "4.4.0", "controller": "3.9.2", "broker": "3.9.2", "tiered": "3.9.2",
    "zookeeper": "3.9.2",
}  # fmt: skip
_FOLDERS: Final = ("data", "zookeeper")
_LEFT_OUT: Final = {".lock"}
_PREALLOCATED: Final = 100_000
"""4.4.0 leaves indexes of the metadata log in their full size, and makes them anew at a start."""


def pack(name: str, folder: Path) -> dict[str, Any]:
    """Return a base: all files of a node and of its ZooKeeper, in hex, by their paths."""
    paths = [path for each in _FOLDERS for path in sorted((folder / each).rglob("*")) if path.is_file()]
    kept = [path for path in paths if path.name not in _LEFT_OUT and path.stat().st_size < _PREALLOCATED]
    content = {path.relative_to(folder).as_posix(): _content(path).hex() for path in kept}
    return {"id": name, "writer": _WRITERS[name], "files": content}


def _content(path: Path) -> bytes:
    """Return what is in a file, of a preallocated log of ZooKeeper without the zeros behind it."""
    content = path.read_bytes()
    return (
        content.rstrip(b"\0") + bytes(4)
        if path.parent.name == "version-2" and path.name.startswith("log.")
        else content
    )


def main() -> int:
    """Write the file of bases, with those that are there as they are now."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="what `bases` wrote")
    folder = parser.parse_args().folder
    path = files.FOLDER / files.BASES
    known = {base["id"]: base for base in files.read(path)}
    known |= {name: pack(name, folder / name) for name in _WRITERS if (folder / name).is_dir()}
    files.write(path, known.values())
    return 0


if __name__ == "__main__":
    sys.exit(main())
