"""Directories as zip files: the same bytes for the same files, without times or system order."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Final

_LEFT_OUT: Final = {".lock"}
_TIME: Final = (2020, 1, 1, 0, 0, 0)
CHANGED: Final = 1_577_836_800
"""The same in seconds since 1970: the time that unpacked files get, since Kafka looks at it."""


def pack(folder: Path, file: Path) -> None:
    """Pack all files below a folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name not in _LEFT_OUT:
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _TIME)
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)


def unpack(file: Path, folder: Path) -> Path:
    """Unpack all files below a folder, changed at `CHANGED` by their times; return the folder."""
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
    for path in folder.rglob("*"):
        os.utime(path, (CHANGED, CHANGED))
    return folder
