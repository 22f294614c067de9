"""A file of JSON that is to be a report: read, or why it cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from kafka_tools.errors import UsageError

WHICH: Final = "Name the report.json of an earlier run."


def parse(file: Path) -> Any:  # noqa: ANN401 - whatever the JSON says; the schema judges it
    """Return the JSON of a file.

    Raises:
        UsageError: the file cannot be read, is cut, or is no JSON.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8, so it is not a report.", WHICH) from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip().startswith("{") and not text.rstrip().endswith("}"):
            raise UsageError(f"{file} is cut: it ends before its footer.", "Run the suite again.") from None
        raise UsageError(f"{file} is not JSON: {error}.", WHICH) from None
