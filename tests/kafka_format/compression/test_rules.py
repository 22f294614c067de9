import re
from pathlib import Path

import pytest
import yaml
from kafka_format import compression

ROOT = Path(__file__).parents[3]
RULES = yaml.safe_load((ROOT / "spec/rules/compression.yaml").read_text())["rules"]
CODE = "".join(path.read_text() for path in sorted((ROOT / "reference/kafka_format/compression").glob("*.py")))


def test_the_code_raises_the_rules_of_the_specification_and_no_others() -> None:
    ids = [rule["id"] for rule in RULES]
    assert sorted(ids) == sorted(set(re.findall(r'"(compression\.[a-z0-9.-]+)"', CODE)))


@pytest.mark.parametrize("rule", RULES, ids=[rule["id"] for rule in RULES])
def test_a_rule_is_complete(rule: dict[str, str]) -> None:
    assert set(rule) == {"id", "sentence", "why", "level", "about", "broken_by", "stage", "since", "source"}
    assert all(isinstance(value, str) and value for value in rule.values())
    assert rule["level"] in {"must", "should", "may"}
    assert rule["stage"] == ("resource" if rule["id"] == "compression.limit" else "decompression")
    assert rule["sentence"].endswith(".")


def test_each_rule_has_a_test() -> None:
    tests = {path.stem.removeprefix("test_"): path.read_text() for path in Path(__file__).parent.glob("test_*.py")}
    for rule in RULES:
        _, codec, *name = rule["id"].split(".")
        wanted, text = (f'"{name[0]}"', tests[codec]) if name else (f'"{rule["id"]}"', tests["limits"])
        assert wanted in text, rule["id"]


def test_the_evidence_for_each_flag_is_told() -> None:
    assert set(re.findall(r"- `([a-z0-9-]+)`:", CODE)) == compression.FLAGS
