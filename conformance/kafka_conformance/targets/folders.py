"""Where the programs in other languages are: `_data` of the wheel, or the root of a checkout.

The folders stay side by side, because programs of targets refer to `../../adapters`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kafka_format.spec import data

_PACKAGE = Path(__file__).resolve().parents[1]
_SHIPPED = data.folder(_PACKAGE / "_data")
_HOME = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parents[1]

TARGETS: Final = _HOME / "targets"
"""A folder for each known target, and `common` for what several share."""

ADAPTERS: Final = _HOME / "adapters"
"""A folder for each language, with the file that a user copies."""

TEMPLATES: Final[Mapping[str, Path]] = {
    "python": ADAPTERS / "python" / "python_adapter.py",
    "java": ADAPTERS / "java" / "Adapter.java",
    "go": ADAPTERS / "go" / "adapter.go",
    "rust": ADAPTERS / "rust" / "adapter.rs",
    "javascript": ADAPTERS / "javascript" / "adapter.js",
    "c": ADAPTERS / "c" / "adapter.h",
}
"""The file to copy, by language. Each is below 120 lines and needs nothing but its language."""

LOG_READER: Final = ADAPTERS / "python" / "log_reader.py"
"""A reader of log directories to copy."""
