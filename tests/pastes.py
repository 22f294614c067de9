"""The table of what people paste, tests/pastes.yaml, for the command line and for the page."""

from pathlib import Path
from typing import NamedTuple

import yaml

_TABLE = yaml.safe_load(Path(__file__).with_name("pastes.yaml").read_text(encoding="utf-8"))


class Paste(NamedTuple):
    """A text, the bytes that it stands for in hex, and a part of what is said of it."""

    text: str
    bytes: str
    note: str = ""


PASTES = {
    name: Paste(case, _TABLE["bytes"]) if isinstance(case, str) else Paste(**case)
    for name, case in (_TABLE["pastes"] | _TABLE["notes"]).items()
}
REFUSED = {name: (case["text"], case["because"]) for name, case in _TABLE["refused"].items()}
