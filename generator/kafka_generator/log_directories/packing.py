"""Directories as zip files, the same bytes for the same files: no times, no order of the file system."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Final

_LEFT_OUT: Final = {".lock"}
_TIME: Final = (2020, 1, 1, 0, 0, 0)


def pack(folder: Path, file: Path) -> None:
    """Pack all files below a folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name not in _LEFT_OUT:
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _TIME)
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
