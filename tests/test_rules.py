"""The rules in the whole repository: each has its vectors, and no file names an unknown one."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka_format import structure
from kafka_format.errors import FormatError
from kafka_format.spec.flags import flags
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import (
    Array,
    BytesAfter,
    Checksum,
    Choice,
    CountOf,
    Field,
    Form,
    Integer,
    Layout,
    Rest,
    Varint,
)
from kafka_format.spec.rules import rules
from kafka_generator.coverage import by_rule

from tests import shipped

ROOT = Path(__file__).resolve().parent.parent
VECTORS = shipped.documents()
CODE = [file for folder in ("reference", "conformance") for file in sorted((ROOT / folder).rglob("*.py"))]
FAMILIES = {rule.split(".")[0] for rule in rules()}
LIKE_A_RULE = re.compile(rf"(?:{'|'.join(sorted(FAMILIES))})(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+")
"""What looks like the id of a rule: a family of rules, and words with dots between them."""

NO_RULES = re.compile(r"\.(?:py|yaml|json|jsonl|tsv|md|j2|java|js|go|c|rs|bin|txt|pcap)$")


LIMITS = {"compression.limit", "content.telemetry.limit"}


def test_every_rule_has_a_vector_that_keeps_it_and_one_that_breaks_it() -> None:
    cells = list(by_rule.cells(VECTORS))
    assert [(cell.kind, cell.name) for cell in cells if cell.is_empty] == []
    assert len(cells) == 2 * len(rules())


@pytest.mark.parametrize("kind", ["rule kept", "rule broken"])
def test_a_rule_that_loses_its_vectors_is_seen(kind: str) -> None:
    rule = "v2.crc.covers-attributes-to-end"
    others = [vector for vector in VECTORS if rule not in {*vector["rules"], by_rule.broken_rule(vector)}]
    assert (kind, rule) in {(cell.kind, cell.name) for cell in by_rule.cells(others) if cell.is_empty}


def test_no_vector_breaks_what_only_a_target_can_break() -> None:
    """A rule that a target alone can break is the fault of no vector."""
    for rule, ids in by_rule.breaking(VECTORS).items():
        assert rules()[rule].broken_by == "bytes", ids[0]


def test_the_exceptions_are_few_and_known() -> None:
    assert {rule.id for rule in rules().values() if rule.broken_by == "limit"} == LIMITS
    assert {rule.file for rule in rules().values() if rule.about == "adapter"} == {"rules/adapter.yaml"}


def test_where_kafka_is_looser_as_a_whole_the_level_is_should() -> None:
    """A flag that some releases had and the newest has not leaves the rule a must."""
    relaxed = {rule for flag in flags().values() if flag.holds_in("4.4") for rule in flag.relaxes}
    shoulds = {rule.id for rule in rules().values() if rule.level == "should"}
    # A wrapper's checksum is not looked at, but that of each message in it is, which is what the
    # rule is about; the version of a marker's value is unread like all values
    # (`control-records-unread`); a limit is the reader's own.
    assert relaxed - shoulds == {"legacy.crc.covers-magic-to-end"}
    assert shoulds - relaxed == {"control.marker.version", *LIMITS}


def ends_anywhere(layout: Layout) -> bool:
    """Whether the last field takes all bytes there are, so that none can follow it."""
    last = layout.fields[-1].type
    return isinstance(last, Rest) or (
        isinstance(last, Choice) and all(ends_anywhere(case) for case in last.cases.values())
    )


def checks_of(layout: Layout, field: Field) -> Iterator[str]:
    """The checks that readers make of a field."""
    if isinstance(field.type, Integer | Varint | Form):
        yield "truncated"
    if isinstance(field.type, Form):
        yield "length_within"
    made = {
        "const": field.const is not None,
        "minimum": field.minimum is not None,
        "enum": any(bits.enum for bits in field.bits),
        "within": isinstance(field.computed, BytesAfter),
        "trailing": isinstance(field.computed, BytesAfter) and not ends_anywhere(layout),
        "checksum": isinstance(field.computed, Checksum),
        "count_negative": isinstance(field.computed, CountOf) and not isinstance(field.type, Varint),
        "choose": isinstance(field.type, Choice),
    }
    yield from (check for check, is_made in made.items() if is_made)


def unknown_in(layout: Layout) -> list[str]:
    return [
        f"{layout.name}.{field.name}: {field.rules[check]}"
        for field in layout.fields
        for check in checks_of(layout, field)
        if field.rules[check] not in rules()
    ]


def test_layouts_name_known_rules_only() -> None:
    layouts = specification().layouts.values()
    assert any(isinstance(field.type, Array) for layout in layouts for field in layout.fields)
    assert [fault for layout in layouts for fault in unknown_in(layout)] == []


def test_flags_name_known_rules_only() -> None:
    assert {rule for flag in flags().values() for rule in flag.relaxes} <= set(rules())


@pytest.mark.parametrize("folder", ["reference", "conformance"])
def test_code_names_known_rules_only(folder: str) -> None:
    files = [file for file in CODE if file.is_relative_to(ROOT / folder)]
    named = {
        text
        for file in files
        for text in re.findall(r'"([a-z0-9.-]+)"', file.read_text(encoding="utf-8"))
        if LIKE_A_RULE.fullmatch(text) and not NO_RULES.search(text)
    }
    assert len(named) > 20 or folder == "conformance"
    assert named - set(rules()) - FALLBACKS - SETTINGS == set()


FALLBACKS = {
    "frame.length.minimum",
    "frame.length.within",
    "frame.exact",
    "field.enum",
    "field.choice",
    "field.checksum",
}
"""What `CHECK_RULES` names where a layout names nothing better; the layouts reach none of them."""


def test_pages_name_known_rules_only() -> None:
    pages = [
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "vectors").rglob("*.md"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
    ]
    named = {
        text
        for page in pages
        for text in re.findall(r"[`\[]([a-z0-9.-]+)[`\]]", page.read_text(encoding="utf-8"))
        if LIKE_A_RULE.fullmatch(text) and not NO_RULES.search(text)
    }
    assert len(named) > 40
    assert named - set(rules()) - OTHERS == set()


SETTINGS = {"compression.codec", "compression.type", "log.dirs"}
"""Settings of Kafka, which look like rules."""

OTHERS = SETTINGS | {"message.crc", "message.magic", "consumer.run", "consumer.consume"}
"""Besides, paths of fields and functions of other people's clients."""


@pytest.mark.parametrize(
    ("rule", "name", "data"),
    [
        ("field.const", "hello", b"h" + b"{}"),
        ("count.not-negative", "answer", b"\xff\xff\xff\xff"),
        ("frame.length.minimum", "frame", b"\0\0\0\0"),
        ("frame.length.within", "frame", b"\0\0\0\2H"),
    ],
)
def test_the_rules_of_frames_are_broken(rule: str, name: str, data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        structure(name).decode(data)
    assert caught.value.rule == rule
