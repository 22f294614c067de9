"""Directories as archives: the same bytes for the same files, without times or system order."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
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


def pack_alike(folder: Path, file: Path) -> None:
    """Pack all files below a folder where many are alike: as a tar file, compressed as a whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file, "w:xz", preset=9) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.name not in _LEFT_OUT:
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size, entry.mtime = path.stat().st_size, CHANGED
                archive.addfile(entry, io.BytesIO(path.read_bytes()))


def unpack(file: Path, folder: Path) -> Path:
    """Unpack all files below a folder, changed at `CHANGED` by their times; return the folder."""
    shutil.unpack_archive(file, folder, "zip")
    for path in folder.rglob("*"):
        os.utime(path, (CHANGED, CHANGED))
    return folder
