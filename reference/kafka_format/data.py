"""Where spec/ and vectors/ are: inside the wheel, or beside the packages in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


@cache
def path(name: str) -> Path:
    """Return the folder `spec` or `vectors`.

    Raises:
        FileNotFoundError: the installation has neither, so it is broken.
    """
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent.parent / name):
        if candidate.is_dir():
            return candidate
    msg = f"kafka_format was installed without its {name}/ folder; install the wheel again, or work from a checkout"
    raise FileNotFoundError(msg)
