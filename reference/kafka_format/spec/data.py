"""Where spec/ and vectors/ are: inside the wheel, or beside the packages in a checkout.

Spark imports a wheel that it is given as `--py-files` without unpacking it. What programs and
templates need as files is unpacked then, beside the wheel, the first time it is asked for.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def path(name: str) -> Path:
    """Return the folder `spec` or `vectors`.

    Raises:
        FileNotFoundError: the installation has neither, so it is broken.
    """
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent.parent / name):
        source = folder(candidate)
        if source.is_dir():
            return source
    msg = f"kafka_format was installed without its {name}/ folder; install the wheel again, or work from a checkout"
    raise FileNotFoundError(msg)


@cache
def folder(wanted: Path) -> Path:
    """Return a package's folder on disk: itself, or a copy if the package is in a zip file."""
    archive = next((parent for parent in wanted.parents if parent.is_file()), None)
    if archive is None:
        return wanted
    import tempfile  # noqa: PLC0415 - only a zip file needs it

    inside = wanted.relative_to(archive).as_posix()
    try:
        return _unpack(archive, inside, archive.with_name(f"{archive.name}.unpacked"))
    except OSError:  # the zip file lies where nobody may write
        return _unpack(archive, inside, Path(tempfile.mkdtemp(prefix="kafka-format-")))


def _unpack(archive: Path, inside: str, home: Path) -> Path:
    """Unpack a folder, whole or not at all: other processes may be about to do the same."""
    import tempfile  # noqa: PLC0415 - only a zip file needs them
    import zipfile  # noqa: PLC0415 - only from a wheel that is a zip file

    target = home / inside
    if target.is_dir():
        return target
    home.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home) as draft, zipfile.ZipFile(archive) as source:
        source.extractall(draft, [name for name in source.namelist() if name.startswith(f"{inside}/")])
        made = Path(draft) / inside
        if made.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            _move(made, target)
    return target


def _move(made: Path, target: Path) -> None:
    try:
        os.rename(made, target)  # noqa: PTH104 - `Path.rename` is the same, by another name
    except OSError:
        if not target.is_dir():  # else another process created it first
            raise
