import kafka_format
import pytest
from kafka_format import records
from kafka_format.records import Header, Record
from kafka_format.spec.layout import find
from kafka_tools.commands import structures_in_json as json_values
from kafka_tools.errors import UsageError

BATCH = records.encode([Record(2**60, 5, 0, b"k", None, (Header(b"h", b""),)), Record(2**60 + 1, 6)])
MESSAGE = records.encode([Record(7, 5, 0, b"k", b"v")], magic=1)


@pytest.mark.parametrize(("layout", "data"), [("record_batch", BATCH), ("message_set_entry", MESSAGE)])
def test_json_gives_the_bytes_back(layout: str, data: bytes) -> None:
    document = json_values.structure_to_json(find(layout), kafka_format.structure(layout).decode(data))
    values = json_values.structure_from_json(find(layout), document)
    assert kafka_format.structure(layout).encode(values) == data


def test_64_bits_are_strings_and_bytes_are_hex() -> None:
    document = json_values.structure_to_json(find("record_batch"), kafka_format.structure("record_batch").decode(BATCH))
    assert document["base_offset"] == str(2**60)
    assert document["record_count"] == 2
    assert (document["records"][0]["key"], document["records"][0]["value"]) == ("6b", None)


def test_fields_left_out_are_filled() -> None:
    values = json_values.structure_from_json(
        find("message_set_entry"), {"offset": 7, "message": {"magic": 1, "timestamp": "5", "key": "6b", "value": "76"}}
    )
    assert kafka_format.structure("message_set_entry").encode(values) == MESSAGE


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "the value must be an object with the fields of record_batch"),
        ({"base_ofset": "1"}, "base_ofset: record_batch has no such field"),
        ({"base_offset": "one"}, "base_offset: 'one' is not an integer"),
        ({"base_offset": 1.5}, "base_offset: 1.5 is not an integer"),
        ({"base_offset": True}, "base_offset: True is not an integer"),
        ({"records": {}}, "records must be a list"),
        ({"records": [{}, {"key": "0g"}]}, r"records\[1\]\.key: '0g' is not hex"),
        ({"records": [{"key": 7}]}, r"records\[0\]\.key: 7 is not hex"),
        ({"records": [{"headers": [{"name": "61"}]}]}, r"records\[0\]\.headers\[0\]\.name: .* has no such field"),
    ],
)
def test_wrong_json_is_named_by_path(document: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        json_values.structure_from_json(find("record_batch"), document)


@pytest.mark.parametrize("message", [{}, {"magic": 9}, {"magic": "1"}, [], None])
def test_choice_must_be_told(message: object) -> None:
    with pytest.raises(UsageError, match=r"message\.magic must say which layout it is: 0 \(message_v0\)"):
        json_values.structure_from_json(find("message_set_entry"), {"offset": 1, "message": message})
