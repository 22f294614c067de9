"""The JSON Schemas of spec/schema refuse what the loader refuses, where they see it."""

import json
from keyword import kwlist
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from kafka_format.errors import LayoutError, Stage
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.spec import data
from kafka_format.spec.layout.model import CHECK_RULES
from kafka_format.spec.layout.types import SCALARS
from kafka_format.spec.layout.yamlfile import Section, read
from kafka_format.spec.rules import ABOUT, BROKEN_BY, LEVELS

from tests.kafka_format.spec.layout.specs import write
from tests.kafka_format.spec.layout.test_field_refusals import FIELDS, HEAD
from tests.kafka_format.spec.layout.test_file_refusals import FILES

SPEC = data.path("spec")
SCHEMAS = {
    name: json.loads((SPEC / f"schema/{name}.schema.json").read_text())
    for name in ("layout", "versioned-layout", "enums", "flags", "releases", "rules")
}
SHIPPED = sorted(path.relative_to(SPEC).as_posix() for path in SPEC.rglob("*.yaml"))

# Cases of the loader that a schema cannot see, because they are about other fields, other files, or
# two values at once.
BEYOND_FIELDS = {
    "two fields of a name", "bits with the name of a field", "two bits of a name", "unknown type",
    "default that does not fit", "default below zero", "default of a varint that does not fit",
    "default null of a number", "default null of what is never null", "constant that does not fit",
    "minimum that does not fit", "checksum from nowhere", "checksum from a field before it", "checksum from itself",
    "checksum after what varies", "checksum before its frame", "two frames", "count of nothing", "count of a number",
    "count of two arrays", "array with a count that counts nothing", "array with a later count",
    "array of what is unknown", "field after the rest", "bits that overlap", "bits out of range",
    "bits from high to low", "unknown enumeration", "enumeration wider than its bits",
    "last of nothing",
    "last of what items do not have", "last that is a text", "choice of what is unknown",
    "choice by what does not decide", "a layout that contains itself", "choice of a number",
    "field since no release",
}  # fmt: skip
BEYOND_FILES = {
    "another name", "two files of a name", "layout with the name of a form", "enumeration with a word twice",
    "form whose null does not fit", "two flags for a rule", "release that never came", "release of no major one",
    "release of the adapter protocol", "release that ends before it begins", "form since no release",
}  # fmt: skip


def plain(value: Any) -> Any:
    """The values of a file as JSON would have them."""
    if isinstance(value, Section):
        return {key: plain(item) for key, item in value.values.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


_NAMES = {"adapter": "layout", "enum": "enums", "flag": "flags", "release": "releases", "rule": "rules"}


def schema_of(file: str) -> dict[str, Any]:
    if file.startswith("layouts/protocol/"):
        return SCHEMAS["versioned-layout"]
    family = file.split("/", maxsplit=1)[0].removesuffix(".yaml").removesuffix("s")
    return SCHEMAS[_NAMES.get(family, family)]


def is_valid(path: Path, file: str) -> bool:
    """Tell whether the schema of the file accepts it; what cannot be read as YAML is not valid."""
    try:
        content = plain(read(path, file))
    except LayoutError:
        return False
    return jsonschema.Draft202012Validator(schema_of(file)).is_valid(content)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_are_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


def test_what_ships_is_valid() -> None:
    validators = {file: jsonschema.Draft202012Validator(schema_of(file)) for file in SHIPPED}
    wrong = {
        file: [f"{error.json_path}: {error.message}" for error in validator.iter_errors(plain(read(SPEC / file, file)))]
        for file, validator in validators.items()
    }
    assert {file: errors for file, errors in wrong.items() if errors} == {}


def test_the_schema_accepts_the_specification_of_the_tests(tmp_path: Path) -> None:
    """So what it refuses below, it refuses for the case's own fault."""
    write(tmp_path, {"layouts/thing.yaml": HEAD + "- {name: a, type: int8}\n"})
    files = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.yaml")]
    assert {file: is_valid(tmp_path / file, file) for file in files} == dict.fromkeys(files, True)


@pytest.mark.parametrize("case", FIELDS)
def test_fields_that_the_loader_refuses(case: str, tmp_path: Path) -> None:
    write(tmp_path, {"layouts/thing.yaml": HEAD + FIELDS[case][0] + "\n"})
    assert is_valid(tmp_path / "layouts/thing.yaml", "layouts/thing.yaml") == (case in BEYOND_FIELDS)


@pytest.mark.parametrize("case", FILES)
def test_files_that_the_loader_refuses(case: str, tmp_path: Path) -> None:
    file, text, *_ = FILES[case]
    write(tmp_path, {file: text})
    assert is_valid(tmp_path / file, file) == (case in BEYOND_FILES)


def test_the_cases_beyond_a_schema_are_cases() -> None:
    assert set(FIELDS) >= BEYOND_FIELDS
    assert set(FILES) >= BEYOND_FILES


def test_the_schemas_know_the_words_of_the_code() -> None:
    parts = SCHEMAS["layout"]["$defs"]
    stages = [stage.value for stage in Stage]
    assert parts["rules"]["propertyNames"]["enum"] == list(CHECK_RULES)
    assert sorted(parts["scalar"]["enum"]) == sorted(SCALARS)
    assert parts["name"]["not"]["enum"] == [word for word in kwlist if word.islower()]
    assert set(parts["computed"]["oneOf"][2]["properties"]) == set(CHECKSUMS)
    assert parts["field"]["properties"]["stage"]["enum"] == stages
    rule = SCHEMAS["rules"]["properties"]["rules"]["items"]["properties"]
    words = [tuple(rule[key]["enum"]) for key in ("level", "about", "broken_by")]
    assert (rule["stage"]["enum"], words) == (stages, [LEVELS, ABOUT, BROKEN_BY])
