"""The cases of one shape: its values, and its faults."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_format.codec.runtime import LONGEST_STRING
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.versioned import VersionedStructure
from kafka_format.spec.layout.versioned.model import UNKNOWN

from kafka_generator.protocol_vectors import values
from kafka_generator.protocol_vectors.case import MessageCase
from kafka_generator.protocol_vectors.faults import faults, negative_tag_counts
from kafka_generator.protocol_vectors.pieces import Twists, Writer, join
from kafka_generator.protocol_vectors.shapes import Shape

_WITH_LONGEST = "api_versions_request"
_WITH_NEGATIVE_TAG_COUNTS = frozenset(
    f"{api}_{kind}" for api in ("produce", "fetch", "metadata", "join_group") for kind in ("request", "response")
) | {"api_versions_response", "offset_commit_value"}
"""Layouts whose newest version has negative counts of tagged fields; all are read alike."""

_WITH_ODD_STRINGS = frozenset({_WITH_LONGEST, "metadata_request", "metadata_response"})
_ODD_STRINGS = (
    ("nul", values.WITH_NUL, "strings with a NUL inside, which is a character like any other"),
    ("blanks", values.WITH_BLANKS, "strings that begin and end with white space, which belongs to them"),
)

_WITH_FALLING_ARRAYS = frozenset(
    {
        "alter_partition_request",
        "delete_topics_request",
        "describe_groups_request",
        "fetch_request",
        "join_group_response",
        "metadata_response",
    }
)
"""Arrays of numbers, of strings and of structures with and without a map key."""

_WORDS = {
    "smallest": "the fewest bytes",
    "defaults": "every field at its default",
    "typical": "every field with a value, tagged ones too",
    "single": "one item in every array; the faults of the others stand in this value",
    "nulls": "null wherever it may be",
    "outer-nulls": "null in the outermost fields",
    "inner-nulls": "null in the fields of items",
    "nulls-inside": "null wherever it may be, but for structures",
    "empties": "strings, bytes and inner arrays without content",
    "no-items": "arrays without items",
    "no-inner-items": "inner arrays without items",
    "no-innermost-items": "innermost arrays without items",
    "no-deep-items": "the deepest arrays without items",
    "lowest": "the lowest numbers",
    "highest": "the highest numbers",
    "minus-one": "numbers that are -1",
    "one": "numbers that are 1, characters of two to four bytes",
    "long": "strings and bytes of 130 bytes",
    "many": "arrays of 130 items",
    "falling": "arrays of items that fall, some of them twice",
    "unknown-tags": "tagged fields that no version knows, beside the known ones",
    "unknown-tags-alone": "tagged fields that no version knows",
    "default-tags": "tagged fields that are there although they have their defaults",
}


def cases(shape: Shape) -> Iterator[MessageCase]:
    """Yield the cases of a shape; no bytes come twice."""
    seen: set[bytes] = set()
    for case in (*_valid(shape), *_wrong(shape), *_longest(shape), *_everyday(shape)):
        if case.data not in seen:
            seen.add(case.data)
            yield case


def surplus_cases() -> Iterator[MessageCase]:
    """Yield the cases of what widely used clients write after the last field."""
    for whole in specification().versioned.values():
        for versions, surplus in whole.surplus:
            shape = Shape(whole, tuple(versions.numbers), find(whole.name, versions.lowest))
            value = values.value(shape.layout, values.PROFILES["smallest"])
            data = join(Writer().pieces(shape.layout, value))
            for content in surplus.contents:
                title = f"{shape.title}: bytes behind it, as {surplus.writer} writes them"
                word = f"surplus-{content.hex()}"
                yield MessageCase(shape, word, title, data + content, ("protocol.body.exact",), value=value)


def _valid(shape: Shape) -> Iterator[MessageCase]:
    batches = frozenset(_records(shape.whole.body))
    for word, profile in values.PROFILES.items():
        value = values.value(shape.layout, profile, batches)
        yield _case(shape, word, value, Writer())
    yield _case(shape, "defaults", values.defaults(shape.layout), Writer())
    default_tags = values.value(shape.layout, values.NO_TAGS, batches)
    yield _case(shape, "default-tags", default_tags, Writer(all_tags=True))
    if shape.is_newest:
        yield _case(shape, "many", values.value(shape.layout, values.MANY, batches), Writer())
        if shape.whole.name in _WITH_FALLING_ARRAYS:
            yield _case(shape, "falling", values.value(shape.layout, values.FALLING, batches), Writer())


def _case(shape: Shape, word: str, value: dict[str, object], writer: Writer) -> MessageCase:
    data = join(writer.pieces(shape.layout, value))
    title = f"{shape.title}: {_WORDS[word]}"
    return MessageCase(shape, word, title, data, _about(shape, word), value=value)


def _about(shape: Shape, word: str) -> tuple[str, ...]:
    """Return the rules that a valid vector is about."""
    flexible = shape.versions[0] in shape.whole.flexible
    if word.startswith("unknown-tags") and flexible:
        return ("tagged-fields.unknown", "protocol.tag.unknown")
    if word == "default-tags" and flexible:
        return ("protocol.tag.default",)
    if word.endswith("nulls") or word in {"smallest", "empties"}:
        return ("length.null-is-not-empty",)
    if word == "long" and flexible:
        return ("uvarint.unsigned", "compact.length")
    return ("field.integer", *(("compact.length",) if flexible else ()))


def _wrong(shape: Shape) -> Iterator[MessageCase]:
    batches = frozenset(_records(shape.whole.body))
    single = values.value(shape.layout, values.PROFILES["single"], batches)
    nulls = [values.value(shape.layout, values.PROFILES[word], batches) for word in ("nulls", "inner-nulls")]
    faulty = [*faults(shape.layout, single, nulls)]
    if shape.is_newest and shape.whole.name in _WITH_NEGATIVE_TAG_COUNTS:
        faulty += negative_tag_counts(shape.layout, single)
    for fault in faulty:
        title = f"{shape.title}: {fault.what}"
        yield MessageCase(shape, fault.word, title, fault.data, fault.rules, fault.flag, is_valid=False)


def _longest(shape: Shape) -> Iterator[MessageCase]:
    """Yield the longest string, one too long, and one with half a surrogate pair.

    They are of one message, as strings are all alike.
    """
    if shape.whole.name != _WITH_LONGEST or not shape.is_newest:
        return
    typical = values.value(shape.layout, values.PROFILES["typical"])
    for word, size in (("longest-string", LONGEST_STRING), ("string-too-long", LONGEST_STRING + 1)):
        value = typical | {"client_software_name": "l" * size}
        data = join(Writer().pieces(shape.layout, value))
        title, rules = f"{shape.title}: a string of {size} bytes", ("protocol.string.longest",)
        is_valid = size == LONGEST_STRING
        yield MessageCase(shape, word, title, data, rules, is_valid=is_valid, value=value if is_valid else None)
    wrapped: Twists = {((UNKNOWN, "count"), "count"): b"\xff\xff\xff\xff\x0f"}
    data = join(Writer(wrapped).pieces(shape.layout, typical))
    title = f"{shape.title}: a count of tagged fields that is -1 as an int32, for which releases to 4.3 take 0"
    rules = ("protocol.tags.count",)
    yield MessageCase(shape, "tag-count-wrapped", title, data, rules, "negative-tag-count-is-none", is_valid=False)
    half: Twists = {(("client_software_name",), "content"): b"\xed\xa0\x80a"}
    data = join(Writer(half).pieces(shape.layout, typical | {"client_software_name": "long"}))
    title = f"{shape.title}: a string with half of a pair of UTF-16 in three bytes, for which Java has one U+FFFD"
    yield MessageCase(shape, "surrogate", title, data, ("string.utf8",), "invalid-utf8-is-replaced", is_valid=False)
    pair: Twists = {(("client_software_name",), "content"): b"\xed\xa0\xb4\xed\xb4\x9e"}
    data = join(Writer(pair).pieces(shape.layout, typical | {"client_software_name": "string"}))
    title = f"{shape.title}: a string with both halves of a pair of UTF-16, in three bytes each, as CESU-8 has it"
    rules = ("string.utf8",)
    yield MessageCase(shape, "surrogate-pair", title, data, rules, "invalid-utf8-is-replaced", is_valid=False)


def _everyday(shape: Shape) -> Iterator[MessageCase]:
    """Yield values of every day: lengths of three bytes, a NUL in strings, blanks around them."""
    made = {
        "metadata_request": ("topic-of-16384", "a topic of 16384 bytes, whose length takes three bytes"),
        "fetch_response": ("records-beyond-16-kib", "records beyond 16 KiB, whose length takes three bytes"),
        "produce_request": ("records-beyond-16-kib", "records beyond 16 KiB, whose length takes three bytes"),
    }
    if not shape.is_newest:
        return
    batches = frozenset(_records(shape.whole.body))
    if shape.whole.name in made:
        word, what = made[shape.whole.name]
        profile = values.BEYOND_16_KIB if batches else values.OF_16_KIB
        value = values.value(shape.layout, profile, batches)
        data = join(Writer().pieces(shape.layout, value))
        yield MessageCase(
            shape, word, f"{shape.title}: {what}", data, ("uvarint.unsigned", "compact.length"), value=value
        )
    if shape.whole.name in _WITH_ODD_STRINGS:
        for word, profile, what in _ODD_STRINGS:
            value = values.value(shape.layout, profile, batches)
            data = join(Writer().pieces(shape.layout, value))
            yield MessageCase(shape, word, f"{shape.title}: {what}", data, ("string.utf8",), value=value)


def _records(structure: VersionedStructure) -> Iterator[str]:
    """Yield the names of the fields of records."""
    for field in structure.fields:
        if field.type == "records":
            yield field.name
        if field.structure is not None:
            yield from _records(field.structure)
