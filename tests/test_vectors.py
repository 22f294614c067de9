"""The vector files as users get them: by the schema, with their promises, and for all rules."""

import hashlib
import json
import re
from pathlib import Path

import jsonschema
import pytest
from kafka_format.spec.rules import rules

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((ROOT / "vectors").glob("*.jsonl"))
SCHEMA = json.loads((ROOT / "spec/schema/vector.schema.json").read_text(encoding="utf-8"))
VECTORS = [json.loads(line) for file in FILES for line in file.read_text(encoding="utf-8").splitlines()]
DIRECTIONS = [
    json.loads(line)
    for file in sorted((ROOT / "vectors/directions").glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]
BY_ID = {vector["id"]: vector for vector in VECTORS}


def sort_of(vector):
    """What the schema tells apart: a usual run checks one vector of each sort in each family."""
    answer = vector.get("answer") or [{}]
    return (vector["family"], vector["verdict"], vector["format"], *sorted(vector), *sorted(answer[0]))


def test_every_line_fits_the_schema(pytestconfig):
    check = jsonschema.Draft202012Validator(SCHEMA)
    sorts = {sort_of(vector): vector for vector in VECTORS}
    for vector in VECTORS if pytestconfig.getoption("whole") else sorts.values():
        assert [error.message for error in check.iter_errors(vector)] == [], vector["id"]


@pytest.mark.parametrize(
    "change",
    [{"hex": "AB"}, {"extra": 1}, {"verdict": "ok"}, {"oracle": {}}, {"answer": None}, {"flag": "x"}, {"canonical": 1}],
    ids=lambda change: next(iter(change)),
)
def test_the_schema_refuses_what_the_readme_does_not_promise(change):
    vector = next(vector for vector in VECTORS if vector["verdict"] == "valid")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**vector, **change}, SCHEMA)


def test_there_are_enough_of_each_kind():
    assert len(VECTORS) >= 200
    for verdict in ("valid", "invalid", "lenient"):
        for version in ("v07", "v0", "v1", "v2"):
            assert any(vector["verdict"] == verdict and vector["format"] == version for vector in VECTORS), (
                verdict,
                version,
            )


@pytest.mark.parametrize("change", [{"oracle": {"kafka-clients 4.4.0": "accepted"}}, {"formats": ["v07", "v0"]}])
def test_a_vector_of_0_7_has_no_oracle_and_one_format(change):
    vector = next(vector for vector in VECTORS if vector["format"] == "v07")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**vector, **change}, SCHEMA)


def test_ids_are_unique_and_keys_stand_in_order():
    assert len(BY_ID) == len(VECTORS)
    order = list(SCHEMA["properties"])
    for vector in VECTORS:
        assert list(vector) == sorted(vector, key=order.index), vector["id"]


def test_a_vector_has_bytes_or_a_recipe_and_not_both():
    vector = next(vector for vector in VECTORS if "recipe" in vector)
    jsonschema.validate(vector, SCHEMA)
    for wrong in ({**vector, "hex": "00"}, {key: value for key, value in vector.items() if key != "recipe"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)


@pytest.mark.parametrize("part", [{"repeat": "0"}, {"hex": "00", "times": 1}, {"repeat": "00", "times": 0}, {}])
def test_a_recipe_has_parts_of_three_kinds_only(part):
    vector = next(vector for vector in VECTORS if "recipe" in vector)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**vector, "recipe": {**vector["recipe"], "parts": [part]}}, SCHEMA)


def test_every_twin_is_a_valid_vector_of_the_same_format():
    for vector in VECTORS:
        twin = vector.get("fault", {}).get("twin")
        if twin:
            assert BY_ID[twin]["verdict"] == "valid", vector["id"]


def test_every_rule_that_a_vector_names_is_known():
    named = {rule for vector in [*VECTORS, *DIRECTIONS] for rule in vector["rules"]} | {
        vector["fault"]["rule"] for vector in VECTORS if "fault" in vector
    }
    assert named <= set(rules())


def test_faults_stand_at_the_stage_of_their_rule():
    for vector in VECTORS:
        if "fault" in vector:
            assert vector["fault"]["stage"] == rules()[vector["fault"]["rule"]].stage, vector["id"]


@pytest.mark.parametrize(
    ("identifier", "size"),
    [
        ("v1/size/key-and-value", 42),
        ("v1/size/value-only", 39),
        ("v2/size/key-and-value", 76),
    ],
)
def test_documented_sizes_of_entries(identifier, size):
    assert len(bytes.fromhex(BY_ID[identifier]["hex"])) == size


@pytest.mark.parametrize(
    ("identifier", "position", "size"),
    [
        ("v1/size/key-and-value", 8, 30),
        ("v1/size/value-only", 8, 27),
    ],
)
def test_documented_sizes_of_messages(identifier, position, size):
    data = bytes.fromhex(BY_ID[identifier]["hex"])
    assert int.from_bytes(data[position : position + 4], "big") == size


def test_documented_sizes_of_records():
    assert len(bytes.fromhex(BY_ID["v2/size/key-and-value"]["hex"])) - 61 == 15
    assert len(bytes.fromhex(BY_ID["v2/size/hundredth-record-without-key"]["hex"])) - 61 == 14


def test_the_program_in_the_readme_follows_every_recipe():
    text = (ROOT / "vectors/README.md").read_text(encoding="utf-8")
    program = compile(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], "README.md", "exec")
    large = [vector for vector in VECTORS if "recipe" in vector]
    assert len(large) >= 10
    for vector in large:
        names = {"vector": vector}
        exec(program, names)  # noqa: S102 - it is the documentation that is tested
        assert hashlib.sha256(names["data"]).hexdigest() == vector["recipe"]["sha256"]
        assert len(names["data"]) == vector["recipe"]["size"]
