"""Keeps what Jinja makes of the templates beside them, as Python keeps compiled modules.

Jinja takes 0.1 s to compile them, which every short program that decodes a batch would pay.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket


class TemplateCache(jinja2.FileSystemBytecodeCache):
    """Keeps compiled templates in `__pycache__`; each process compiles anew where that fails.

    Jinja sees by a checksum that a template has changed, and by a number that Python has.
    """

    def __init__(self, folder: Path) -> None:
        """Take the folder of the templates."""
        super().__init__(str(folder / "__pycache__"), f"%s.{sys.implementation.cache_tag}.template")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept, if it is there and can be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template, if Python may keep modules and the folder may be written."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)
