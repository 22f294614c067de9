"""Lookups answer what Kafka's own classes answered, on directories of real brokers.

Zeros at the end of indexes count as entries, as they do for the classes that open such files. They
do not rise, so the steps of the search decide what is found.
"""

from pathlib import Path

from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.offset_lookup import LookupOutcome, find_offset, scan_segment
from kafka_format.log.partition import PartitionLog
from kafka_format.log.segment import Segment
from kafka_format.log.time_lookup import find_time
from kafka_format.log.time_lookup import scan_segment as scan_for_time

from tests.kafka_format.log import real

ASKED = 5000
"""Answers that there are at least."""


def test_indexes_and_segments(directory: Path) -> None:
    answers = real.answers(directory.name)
    release, compared = answers["read_by"][:3], 0
    for name, partition in answers["read"].items():
        for base, expected in partition["segments"].items():
            with Segment(directory / name / segment_name(int(base), FileKind.SEGMENT), padded=True) as segment:
                actual = answered(segment, expected, release)
                differing = [key for key in expected if actual[key] != expected[key]]
                assert differing == [], (name, base, actual[differing[0]])
                compared += sum(len(rows) for rows in expected.values() if isinstance(rows, list))
    assert compared > ASKED


def answered(segment: Segment, asked: dict[str, list[list[int]]], release: str) -> dict[str, object]:
    """The same questions, with our answers."""
    batches = [(target, scan_segment(segment, target, release).batch) for target, *_ in asked["translate"]]
    records = [
        (time, scan_for_time(segment, time, segment.base_offset, release).record) for time, *_ in asked["by_time"]
    ]
    return {
        "entries": len(segment.offset_index),
        "lookup": [[target, *segment.offset_index.lookup(target, release).entry] for target, *_ in asked["lookup"]],
        "time_entries": len(segment.time_index),
        "time_lookup": [[time, *segment.time_index.lookup(time, release).entry] for time, *_ in asked["time_lookup"]],
        "aborted": [list(aborted) for aborted in segment.aborted_transactions()],
        "translate": [[target, *((batch.position, batch.size) if batch else ())] for target, batch in batches],
        "by_time": [
            [time, *((record_lists.timestamp, record_lists.offset) if record_lists else ())]
            for time, record_lists in records
        ],
        "next_offset": segment.next_offset(),
    }


def test_whole_logs_as_a_broker_opens_them_after_a_clean_stop(directory: Path) -> None:
    for name, openings in real.answers(directory.name)["opened"].items():
        expected = openings["clean"]
        with PartitionLog(directory / name, padded=True) as log:
            assert (log.start_offset, log.end_offset) == (expected["start_offset"], expected["end_offset"])
            assert [[segment.base_offset, segment.size] for segment in log.segments] == expected["segments"]
            assert [list(row) for row in log.leader_epochs()] == expected["epochs"]
            assert [read(log, target) for target, *_ in expected["reads"]] == expected["reads"]
            times = [(time, find_time(log, time).record) for time, *_ in expected["times"]]
            assert [[time, *(record_lists or ())] for time, record_lists in times] == expected["times"]


def read(log: PartitionLog, target: int) -> list[object]:
    """The segment, the position and the first offset of the batch that a broker answers with, or
    its error."""
    lookup = find_offset(log, target)
    if lookup.batch is not None:
        return [target, lookup.scans[-1].segment.base_offset, lookup.batch.position, lookup.batch.base_offset]
    if lookup.outcome is not LookupOutcome.AT_END:
        return [target, "OffsetOutOfRangeException"]
    last = log.segments[-1]
    return [target, last.base_offset, last.size, target]
