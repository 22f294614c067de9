"""The columns are those that docs/audit.md describes."""

import os
import re
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the arrow extra is not installed")

from kafka_tools.audit.audit_folder import FOLDERS
from kafka_tools.audit.rows import AuditFinding
from kafka_tools.audit.schemas import schema, table

PAGE = (Path(__file__).parents[3] / "docs" / "audit.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FOLDERS)
def test_columns_are_described(name: str) -> None:
    described = PAGE.partition(f"### {name}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", described, re.MULTILINE)
    columns = [(field.name, f"{field.type}{', null' if field.nullable else ''}") for field in schema(FOLDERS[name])]
    assert rows == columns


def test_names_that_are_not_utf_8_get_escapes() -> None:
    """A broker's disk may have any name; Parquet takes text alone."""
    name = os.fsdecode(b"caf\xe9-0")
    row = AuditFinding("data", name, f"data/{name}/x.log", "log.name.number", "no number", None, None, "", "")
    assert table(AuditFinding, [row]).column("path").to_pylist() == ["data/caf\\udce9-0/x.log"]
