"""Notes behind keys and values in the lines of an explanation."""

from kafka_format import records
from kafka_format.explain.lines import explain
from kafka_format.records import Header, Record

PREFIXED = bytes.fromhex("00 0000002a 0278")


def values(data: bytes, topic: str = "") -> dict[str, str]:
    return {line.path: line.value for line in explain(data, topic=topic).lines}


def test_a_guess_is_noted_as_one() -> None:
    noted = values(records.encode([Record(0, 1, key=b"k", value=PREFIXED)]))
    assert noted["records[0].value"] == (
        "7 bytes; perhaps Confluent's schema registry, by the first bytes: schema id 42, 2 bytes"
    )
    assert noted["records[0].key"] == "'k'"


def test_headers_are_those_of_the_same_record() -> None:
    named = (Header(b"__value_schema_id", PREFIXED[:5]),)
    noted = values(records.encode([Record(0, 1, value=b"{}"), Record(1, 1, value=b"{}", headers=named)]))
    assert noted["records[0].value"] == "'{}'"
    sure = "'{}'; Confluent's schema registry, by the header __value_schema_id: schema id 42, 2 bytes"
    assert noted["records[1].value"] == sure


def test_the_topic_of_mirror_maker() -> None:
    key = bytes.fromhex("0006 6f7264657273 00000003")
    data = records.encode([Record(0, 1, key=key, value=bytes(16))])
    noted = values(data, "mm2-offset-syncs.b.internal")
    said = "perhaps MirrorMaker, by the name of the topic: "
    assert noted["records[0].key"].endswith(f"; {said}topic orders, partition 3")
    assert noted["records[0].value"].endswith(f"; {said}upstream offset 0, offset 0")
    assert "perhaps" not in "".join(values(data).values())


def test_compressed_records_and_old_messages_have_notes() -> None:
    for magic, codec in ((2, "gzip"), (1, "none"), (0, "none")):
        data = records.encode([Record(0, 1 if magic else -1, value=PREFIXED)], magic=magic, codec=codec)
        assert sum("schema id 42" in value for value in values(data).values()) == 1
