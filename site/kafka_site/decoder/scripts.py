"""Writes the scripts of the decoder: what the page loads, and the adapter and the tests too."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from kafka_site.decoder import libraries
from kafka_site.decoder.bundle import bundle
from kafka_site.decoder.data import protocol_script, specification_script
from kafka_site.model import Site

MAIN: Final = "./decoder.js"
"""The module that the bundle runs."""


def write(folder: Path, site: Site) -> None:
    """Write them into a folder; say on standard error which libraries could not be brought."""
    folder.mkdir(parents=True, exist_ok=True)
    scripts = {
        "specification.js": specification_script(site),
        "protocol.js": protocol_script(site),
        "libraries.js": _libraries(),
        "decoder.js": bundle(MAIN),
    }
    for name, text in scripts.items():
        (folder / name).write_text(text, encoding="utf-8")


def _libraries() -> str:
    try:
        return libraries.script()
    except libraries.NoLibrariesError as none:
        sys.stderr.write(f"The decoder in the page leaves gzip and zstd closed: {none}\n")
        return "globalThis.kafkaLibraries = {};\n"
