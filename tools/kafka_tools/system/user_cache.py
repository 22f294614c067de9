"""The user's cache folder by the XDG rules, for what this suite can make again."""

import os
from pathlib import Path

from kafka_tools.errors import UsageError


def folder() -> Path:
    """Return the cache folder. It may not exist yet.

    Raises:
        UsageError: the user has no home, and says nothing else.
    """
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(base or Path.home() / ".cache") / "kafka-conformance"
    except RuntimeError:
        raise UsageError("there is no home folder to keep a cache in.", "Name one with XDG_CACHE_HOME.") from None
