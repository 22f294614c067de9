"""A file of JSON that is to be a report: read, or why it cannot be."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any, Final

from kafka_tools.errors import UsageError

WHICH: Final = "Name the report.json of an earlier run."

MOST: Final = 1 << 30
"""Bytes that a packed report may unpack to; that of a run with one target has about 20 MiB."""


def text(file: Path) -> str:
    """Return the text of a report, packed with gzip or not.

    Raises:
        UsageError: the file cannot be read, unpacks to more than `MOST` bytes, or is not UTF-8.
    """
    try:
        return (_unpacked(file) if file.suffix == ".gz" else file.read_bytes()).decode("utf-8")
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise UsageError(f"{file} is not what gzip packs, or is cut.", WHICH) from None
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8, so it is not a report.", WHICH) from None


def _unpacked(file: Path) -> bytes:
    with gzip.open(file) as packed:
        content = packed.read(MOST + 1)
    if len(content) > MOST:
        raise UsageError(f"{file} unpacks to more than {MOST >> 20} MiB, so it is not a report.", WHICH)
    return content


def parse(file: Path) -> Any:  # noqa: ANN401 - whatever the JSON says; the schema judges it
    """Return the JSON of a file, packed with gzip or not.

    Raises:
        UsageError: the file cannot be read, is cut, or is no JSON.
    """
    content = text(file)
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        if content.lstrip().startswith("{") and not content.rstrip().endswith("}"):
            raise UsageError(f"{file} is cut: it ends before its footer.", "Run the suite again.") from None
        raise UsageError(f"{file} is not JSON: {error}.", WHICH) from None
