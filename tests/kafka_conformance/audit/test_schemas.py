"""The columns are those that docs/audit.md describes."""

import re
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the arrow extra is not installed")

from kafka_conformance.audit.audit_folder import FOLDERS
from kafka_conformance.audit.schemas import schema

PAGE = (Path(__file__).parents[3] / "docs" / "audit.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FOLDERS)
def test_columns_are_described(name: str) -> None:
    described = PAGE.partition(f"### {name}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", described, re.MULTILINE)
    columns = [(field.name, f"{field.type}{', null' if field.nullable else ''}") for field in schema(FOLDERS[name])]
    assert rows == columns
