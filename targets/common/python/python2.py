"""Modules for Python 2 loaded under Python 3, for decoders of Kafka 0.7, which are of that age.

A module's own text is run. What Python 3 no longer spells so is replaced, and names that it no
longer has are put in: each adapter lists both, and nothing else is changed. Text that is not there
to replace is an error, so that another release of the library is not run as something that it is
not.
"""

import importlib.util
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType


def load(name: str, spellings: Mapping[str, str], **names: object) -> ModuleType:
    """Run a module's text with other spellings; it finds `names` as if built in."""
    package = importlib.util.find_spec(name.partition(".")[0])
    if package is None or not package.submodule_search_locations:
        raise ImportError(name)
    file = Path(package.submodule_search_locations[0], *name.split(".")[1:]).with_suffix(".py")
    text = file.read_text(encoding="utf-8")
    for old, new in spellings.items():
        if old not in text:
            raise ImportError(f"{file} does not have {old!r}")
        text = text.replace(old, new)
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(names)
    exec(compile(text, file, "exec"), vars(module))  # noqa: S102 - the library, as installed
    return module


def crc32(data: bytes) -> int:
    """Checksum as Python 2 gave it: signed."""
    unsigned = zlib.crc32(data)
    return unsigned - (1 << 32) if unsigned >> 31 else unsigned
