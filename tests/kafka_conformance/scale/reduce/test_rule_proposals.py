"""Every part of a batch and every field of an answer has a rule to propose, the likeliest first."""

from collections.abc import Iterator

import pytest
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.reduction import tree
from kafka_conformance.scale.reduce import rule_proposals
from kafka_conformance.scale.reduce.rule_proposals import proposed_rules
from kafka_format import sampler
from kafka_format.spec.rules import rules

from tests.kafka_conformance.scale.reduce.sample import FINDING, change


def all_parts(profile: str) -> Iterator[tuple[str, bool, tuple[str, ...]]]:
    """The format of generated batches, whether they are compressed, and the names of their
    parts."""
    block = sampler.block(3, 0, 150, profile)
    for index in range(150):
        version, codec = block.format_of(index), block.codec_of(index)
        parts = tree.parts(tree.parse(block.input(index), version))
        yield version, codec != "none", tree.field_names(part.text for part in parts)


@pytest.mark.parametrize("profile", ["mixed", "compressed", "legacy", "v07"])
def test_every_part_of_a_batch_has_a_rule(profile: str) -> None:
    for version, compressed, names in all_parts(profile):
        assert {rule_proposals.rule_of_part(version, name, compressed=compressed) for name in names} <= rules().keys()


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("version", ["v07", "v0", "v1", "v2"])
def test_every_field_of_an_answer_has_a_rule(version: str, compressed: bool) -> None:
    has = {"v2": set(FIELDS) - {"codec"}, "v07": {"offset", "value"}}
    fields = has.get(version, {"offset", "timestamp", "timestamp_type", "key", "value"})
    assert {rule_proposals.rule_of_answer(version, field, compressed=compressed) for field in fields} <= rules().keys()
    assert rule_proposals.tables()[version]["answer"].keys() == fields


def test_proposed_rules_are_rules() -> None:
    named = {rule for kinds in rule_proposals.tables().values() for table in kinds.values() for rule in table.values()}
    assert {rule_proposals.NULL_IS_EMPTY, *named} <= rules().keys()
    sorts = [{"format": version, "codec": codec} for version in rule_proposals.tables() for codec in ("none", "gzip")]
    assert {rule_proposals.plain_rule(change(minimal=sort)) for sort in sorts} <= rules().keys()


UNKNOWN: dict[str, object] = {"parts": ()}
LZ4: dict[str, object] = {"parts": ("message.attributes.codec = lz4",)}


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({}, "v2.record.attributes.ignored"),
        ({"cause": {"parts": ("attributes.is_control = 1", "records[0].key = hex:00")}}, "v2.control"),
        ({"cause": UNKNOWN}, "v2.offset"),
        ({"cause": UNKNOWN, "failure": {"path": "records[0].headers[2].value"}}, "v2.header.order"),
        ({"cause": UNKNOWN, "failure": {"path": "", "outcome": "refused-valid"}}, "entry.run"),
        ({"minimal": {"fault": "v2/last-offset-delta"}}, "v2.last-offset-delta.kept"),
        ({"failure": {"expected": "null", "got": "empty"}}, rule_proposals.NULL_IS_EMPTY),
        (
            {
                "minimal": {"format": "v1", "codec": "gzip"},
                "cause": UNKNOWN,
                "failure": {"path": "records[0].timestamp"},
            },
            "v1.wrapper.timestamp.inner",
        ),
        ({"minimal": {"format": "v1", "codec": "lz4"}, "cause": LZ4}, "legacy.wrapper"),
        (
            {"minimal": {"format": "v0", "codec": "lz4"}, "cause": LZ4, "failure": {"outcome": "refused-valid"}},
            "legacy.codec.known",
        ),
    ],
)
def test_the_most_likely_rule_comes_first(changes: dict[str, dict[str, object]], rule: str) -> None:
    assert proposed_rules(change(**changes))[0] == rule


def test_the_rule_that_the_reference_names_stands_above_all() -> None:
    broken = change(minimal={"hex": FINDING.minimal.hex[:-2] + "01"})
    assert proposed_rules(broken) == ["v2.crc.covers-attributes-to-end"]
