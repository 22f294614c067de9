"""The adapter templates: a file a language, to be copied by whoever has a decoder to try."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

_HERE = Path(__file__).parent

TEMPLATES: Final[Mapping[str, Path]] = {
    "python": _HERE / "python-adapter" / "python_adapter.py",
    "java": _HERE / "java-adapter" / "Adapter.java",
    "go": _HERE / "go-adapter" / "adapter.go",
    "rust": _HERE / "rust-adapter" / "adapter.rs",
    "javascript": _HERE / "node-adapter" / "adapter.js",
    "c": _HERE / "c-adapter" / "adapter.h",
}
"""Each is below 120 lines and needs nothing but its language."""
