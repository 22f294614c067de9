"""The short form of a log, read back."""

import pytest
from kafka_format import records
from kafka_format.errors import FormatError
from kafka_generator.conversations import logs


def test_a_log():
    data = logs.log(
        ["0..1", {"offsets": "2..3", "last": 5, "producer": 7}, {"marker": "abort", "offset": 6, "producer": 7}]
    )
    found = [(record.offset, record.value, record.producer_id, record.transactional) for record in records.decode(data)]
    assert found[:4] == [(0, b"0", -1, False), (1, b"1", -1, False), (2, b"2", 7, True), (3, b"3", 7, True)]
    assert records.decode(data)[4].control


def test_a_batch_without_records_and_a_large_one():
    assert records.decode(logs.log([{"offsets": "", "first": 0, "last": 4}])) == []
    assert len(logs.log([{"offsets": "0..0", "size": 5000}])) > 5000


def test_damage_is_found_by_the_checksum_and_the_sound_log_is_known_too():
    said = ["0..1", {"offsets": "2..3", "damaged": True}]
    with pytest.raises(FormatError) as found:
        records.decode(logs.log(said))
    assert found.value.rule == "v2.crc.covers-attributes-to-end"
    assert len(records.decode(logs.sound_log(said))) == 4


def test_offsets():
    assert logs.offsets("0..2 7..7") == [0, 1, 2, 7]


def test_an_unknown_key_is_an_error():
    with pytest.raises(ValueError, match="an entry has no size_; it has damaged, epoch"):
        logs.log([{"offsets": "0..1", "size_": 1}])
