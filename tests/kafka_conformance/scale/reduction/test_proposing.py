"""Proposed rules are rules, there is one for each field that can matter, and the most telling comes first."""

from dataclasses import replace

import pytest
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.proposing import NULL_IS_EMPTY, TABLES, plain_rule, proposed
from kafka_conformance.scale.reduction.telling import fields, parts
from kafka_format import sampler
from kafka_format.spec.rules import rules

from tests.kafka_conformance.scale.reduction.finished import FOUND

PROFILES = {"mixed": "v2", "compressed": "v2", "v07": "v07"}


def test_proposed_rules_are_rules() -> None:
    named = {rule for table in TABLES.values() for part in table for rule in part.values()}
    assert {NULL_IS_EMPTY, *named} <= rules().keys()
    sorts = [
        replace(FOUND, format=version, codec=codec)
        for version in ("v07", "v0", "v1", "v2")
        for codec in ("none", "gzip")
    ]
    assert {plain_rule(one) for one in sorts} <= rules().keys()


@pytest.mark.parametrize("profile", ["mixed", "compressed", "legacy", "v07"])
def test_every_part_of_a_batch_has_a_rule(profile: str) -> None:
    block = sampler.block(3, 0, 150, profile)
    for index in range(150):
        table = TABLES[block.format_of(index), block.codec_of(index) != "none"]
        tree = model.parse(block.input(index), block.format_of(index))
        named = {name.partition("bit_")[0] + ("bit_N" if "bit_" in name else "") for name in fields(_told(tree))}
        assert named <= table.parts.keys()


def _told(tree: model.Tree) -> tuple[str, ...]:
    return tuple(part.text for part in parts(tree))


@pytest.mark.parametrize(("version", "codec"), list(TABLES))
def test_every_field_of_an_answer_has_a_rule(version: str, codec: bool) -> None:  # noqa: FBT001
    has = {"v2": set(FIELDS) - {"codec"}, "v07": {"offset", "value"}}
    usual = {"offset", "timestamp", "timestamp_type", "key", "value"}
    assert TABLES[version, codec].wrong.keys() == has.get(version, usual)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({}, "v2.record.attributes.ignored"),
        ({"cause": ("attributes.is_control = 1", "records[0].key = hex:00")}, "v2.control"),
        ({"cause": ()}, "v2.offset"),
        ({"cause": (), "path": "records[0].headers[2].value"}, "v2.header.order"),
        ({"cause": (), "path": "", "outcome": "refused-valid"}, "entry.run"),
        ({"fault": "v2/last-offset-delta"}, "v2.last-offset-delta.kept"),
        ({"expected": "null", "got": "empty"}, NULL_IS_EMPTY),
        ({"format": "v1", "codec": "gzip", "cause": (), "path": "records[0].timestamp"}, "v1.wrapper.timestamp.inner"),
        ({"format": "v1", "codec": "lz4", "cause": ("message.attributes.codec = lz4",)}, "legacy.wrapper"),
        (
            {"format": "v0", "codec": "lz4", "cause": ("message.attributes.codec = lz4",), "outcome": "refused-valid"},
            "legacy.codec.known",
        ),
    ],
)
def test_the_most_telling_comes_first(change: dict[str, object], rule: str) -> None:
    assert proposed(replace(FOUND, **change))[0] == rule  # type: ignore[arg-type]


def test_the_rule_that_the_reference_names_stands_above_all() -> None:
    assert proposed(replace(FOUND, hex=FOUND.hex[:-2] + "01")) == ["v2.crc.covers-attributes-to-end"]
