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

_FILES: Final[Mapping[str, Mapping[str, str]]] = {
    "python": {
        "decoder": "python_adapter.py",
        "consumer": "consumer.py",
        "producer": "producer.py",
        "log-reader": "log_reader.py",
        "serde": "serde.py",
    },
    "java": {
        "decoder": "Adapter.java",
        "consumer": "ConsumerDriver.java",
        "producer": "ProducerDriver.java",
        "serde": "Serde.java",
    },
    "go": {
        "decoder": "adapter.go",
        "consumer": "consumer/consumer.go",
        "producer": "producer/producer.go",
        "serde": "serde/serde.go",
    },
    "rust": {"decoder": "adapter.rs", "consumer": "consumer.rs", "producer": "producer.rs", "serde": "serde.rs"},
    "javascript": {"decoder": "adapter.js", "consumer": "consumer.js", "producer": "producer.js", "serde": "serde.js"},
    "c": {"decoder": "adapter.h", "consumer": "consumer.c", "producer": "producer.c", "serde": "serde.h"},
}

TEMPLATES: Final[Mapping[str, Mapping[str, Path]]] = {
    language: {kind: ADAPTERS / language / name for kind, name in files.items()} for language, files in _FILES.items()
}
"""The file to copy, by language and kind of target; it needs nothing but its language."""

KINDS: Final = tuple(dict.fromkeys(kind for files in _FILES.values() for kind in files))
"""The kinds of targets that there are templates for."""
