"""Mutations: the field is changed, and nothing else is wrong."""

import pytest
from kafka_format import structure
from kafka_format.codec import edits
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find

BATCH = structure("record_batch").encode(
    {"base_timestamp": 0, "records": [{"key": b"key", "value": b"v"}, {"value": b"w"}]}
)
ENTRY = structure("message_set_entry").encode({"message": {"magic": 1, "timestamp": 5, "key": b"k", "value": b"v"}})


def mutate(layout, data, path, replacement, **options):
    return edits.apply(find(layout), data, edits.Edit(path, replacement, **options))


def test_a_field_of_the_same_size_leaves_a_sound_batch():
    value = structure("record_batch").decode(mutate("record_batch", BATCH, "records[0].key", b"KEY"))
    assert value.records[0].key == b"KEY"


def test_a_length_prefix_that_grows_is_counted_by_the_batch():
    grown = mutate("record_batch", BATCH, "records[1].header_count", b"\x00" * 70, insert=True)
    assert len(grown) == len(BATCH) + 71  # 70 bytes more, and a second byte for the length of the record
    with pytest.raises(FormatError) as caught:
        structure("record_batch").decode(grown)
    assert caught.value.rule == "v2.record.length.exact"


def test_what_starts_where_a_length_ends_is_not_counted_by_it():
    grown = mutate("record_batch", BATCH, "records[1].length", b"\x8e\x00")
    lengths = [grown[place] for place in (61, 61 + 1 + BATCH[61] // 2)]
    assert (lengths, len(grown)) == ([BATCH[61], 0x8E], len(BATCH) + 1)


def test_without_repair_only_the_field_changes():
    changed = mutate("record_batch", BATCH, "records[0].value", b"X", repair=False)
    assert sum(a != b for a, b in zip(BATCH, changed, strict=True)) == 1
    with pytest.raises(FormatError, match=r"v2\.crc"):
        structure("record_batch").decode(changed)


def test_a_message_has_its_checksum_inside_the_entry():
    value = structure("message_set_entry").decode(mutate("message_set_entry", ENTRY, "message.value", b"X"))
    assert value.message.value == b"X"


def test_the_mutated_checksum_itself_is_left_wrong():
    with pytest.raises(FormatError) as caught:
        structure("message_set_entry").decode(mutate("message_set_entry", ENTRY, "message.crc", bytes(4)))
    assert caught.value.facts()[:3] == ("legacy.crc.covers-magic-to-end", "checksum", 12)


def test_an_unknown_field_lists_the_known_ones():
    with pytest.raises(KeyError, match=r"no field records.2.; there are base_offset"):
        mutate("record_batch", BATCH, "records[2]", b"")


@pytest.mark.parametrize(
    ("path", "number", "expected"), [("records[0].key.length", -2, "03"), ("batch_length", 1, "00000001")]
)
def test_numbers_are_written_as_their_field_has_them(path, number, expected):
    span = edits.find_span(find("record_batch"), BATCH, path)
    assert edits.number_bytes(span, number).hex() == expected


def test_a_number_for_bytes_is_refused():
    span = edits.find_span(find("hello"), structure("hello").encode({"document": b"{}"}), "document")
    with pytest.raises(TypeError, match="document is not a number"):
        edits.number_bytes(span, 1)
