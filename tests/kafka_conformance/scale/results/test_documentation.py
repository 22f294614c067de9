"""docs/scale.md describes the very columns that a run writes, with their types."""

import re
from pathlib import Path

import pyarrow as pa
import pytest
from kafka_conformance.scale.results.rows import TallyRow
from kafka_conformance.scale.results.schemas import done_schema, findings_schema

PAGE = (Path(__file__).parents[4] / "docs/scale.md").read_text(encoding="utf-8")


def described(heading: str) -> list[tuple[str, str]]:
    """The columns that stand in the table below a heading: name and type."""
    found = []
    for row in re.findall(r"^\| (`.+?) \| (.+?) \|", PAGE.split(f"\n### {heading}\n")[1].split("\n#")[0], re.MULTILINE):
        names, types = re.findall(r"`(\w+)`", row[0]), row[1].split(", ")
        found += zip(names, types if len(types) > 1 else types * len(names), strict=True)
    return found


def plain(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"list of {'struct' if pa.types.is_struct(kind.value_type) else kind.value_type}"
    return str(kind)


@pytest.mark.parametrize(("heading", "schema"), [("findings", findings_schema()), ("done", done_schema())])
def test_columns_are_described_as_they_are(heading: str, schema: pa.Schema) -> None:
    assert described(heading) == [(field.name, plain(field.type)) for field in schema]
    assert not any(field.nullable for field in schema)


def test_fields_of_a_tally_are_described() -> None:
    [told] = re.findall(r"^\| `tally` \| list of struct \| (.+?):", PAGE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", told) == list(TallyRow.__dataclass_fields__)
