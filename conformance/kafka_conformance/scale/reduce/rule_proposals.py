"""The rules that a reduced finding may be about, for whoever promotes it: most likely first."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from kafka_format.spec.layout.yamlfile import load_yaml

from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction.judged_bytes import JudgedBytes, judged
from kafka_conformance.reduction.tree import field_names
from kafka_conformance.scale.results.reductions import Reduced

NULL_IS_EMPTY: Final = "length.null-is-not-empty"


_WRAPPERS: Final = {"legacy.codec.known": "legacy.wrapper", "v07.codec.known": "v07.wrapper"}
"""The rule for a wrapper whose messages are read wrong, in place of that for an unknown codec."""


_BIT: Final = re.compile(r"bit_\d+$")


_INNER: Final = re.compile(r"^message\.(value|payload)\.")


_FIELD: Final = re.compile(r"records\[\d+\]\.(\w+)")


def judged_minimum(finding: Reduced) -> JudgedBytes:
    """Return the reduced bytes with the reference's verdict; lenient ones with the fault's flag."""
    minimal = finding.minimal
    return judged(minimal.data, minimal.format, tuple(minimal.codec.split()), minimal.sampler_fault.flag)


def proposed_rules(finding: Reduced) -> list[str]:
    """Return the ids of the rules that a finding may be about, most likely first; at least one."""
    fault = judged_minimum(finding).fault
    if fault is not None:
        return [fault.rule]
    return list(dict.fromkeys(_propose(finding))) or [plain_rule(finding)]


def plain_rule(finding: Reduced) -> str:
    """Return the rule that any bytes of its format and codec are about."""
    version = finding.minimal.format
    if _is_compressed(finding):
        return {"v2": "v2.codec.known", "v07": "v07.wrapper"}.get(version, "legacy.wrapper")
    return "v07.run" if version == "v07" else "entry.run"


def rule_of_part(version: str, name: str, *, compressed: bool) -> str:
    """Return the rule that a field of some format is about, by its name; empty if there is none."""
    table, name = tables()[version], _BIT.sub("bit_N", name)
    if not compressed:
        return table["parts"].get(name, "")
    return table.get("wrapper", {}).get(name) or table["parts"].get(_INNER.sub("", name), "")


def rule_of_answer(version: str, field: str, *, compressed: bool) -> str:
    """Return the rule that a field of an answer is about; empty if there is none."""
    table = tables()[version]
    special = table.get("wrapper_answer", {}) if compressed else {}
    return special.get(field) or table["answer"].get(field, "")


@cache
def tables() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Load `rules.yaml`: by format, then `parts`, `answer`, `wrapper` and `wrapper_answer`."""
    text = Path(__file__).with_name("rules.yaml").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, dict[str, str]]] = load_yaml(text)
    return loaded


def _propose(finding: Reduced) -> Iterator[str]:
    failure, minimal, compressed = finding.failure, finding.minimal, _is_compressed(finding)
    if minimal.fault:
        yield minimal.sampler_fault.rule
        return
    if {failure.expected, failure.got} == {"null", "empty"}:
        yield NULL_IS_EMPTY
    names = field_names(finding.cause.parts)
    of_parts = [rule for name in names if (rule := rule_of_part(minimal.format, name, compressed=compressed))]
    wrong = finding.outcome is Outcome.WRONG_ANSWER
    yield from (_WRAPPERS.get(rule, rule) if wrong else rule for rule in of_parts)
    field = _FIELD.match(failure.path)
    if field and not of_parts and (rule := rule_of_answer(minimal.format, field[1], compressed=compressed)):
        yield rule


def _is_compressed(finding: Reduced) -> bool:
    return finding.minimal.codec not in ("", "none")
