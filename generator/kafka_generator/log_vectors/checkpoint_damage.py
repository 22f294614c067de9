"""Damaged checkpoints of epochs and offsets, markers of a clean stop, and wrong names of files."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_generator.log_vectors.case_types import DirectoryCase
from kafka_generator.log_vectors.changes import (
    LAST,
    add,
    each,
    name,
    remove,
    with_epochs,
    write_file,
)
from kafka_generator.log_vectors.sound import changed_case


def cases() -> Iterator[DirectoryCase]:
    """Yield the cases."""
    file = "orders-0/leader-epoch-checkpoint"
    yield changed_case(
        "epochs/rising",
        "The leader changed twice.",
        each(with_epochs(3), write_file(file, b"0\n2\n0 0\n3 19\n")),
        keeps=frozenset({"log.epochs.batches", "log.segment.epochs"}),
    )
    yield changed_case(
        "epochs/missing-file", "The checkpoint of leader epochs is missing.", remove(file), "log.epochs.batches"
    )
    yield changed_case(
        "epochs/row-missing",
        "A leader epoch has no row.",
        each(with_epochs(3), write_file(file, b"0\n1\n0 0\n")),
        "log.epochs.batches",
    )
    yield changed_case(
        "epochs/row-too-late",
        "A leader epoch begins before its row.",
        each(with_epochs(3), write_file(file, b"0\n2\n0 0\n3 20\n")),
        "log.epochs.batches",
    )
    yield changed_case(
        "epochs/rows-beyond-the-end",
        "A row begins beyond the end of the log.",
        write_file(file, b"0\n2\n0 0\n5 40\n"),
        "log.epochs.end",
    )
    yield changed_case(
        "epochs/row-at-the-end",
        "A leader has written nothing yet, so its row begins at the end of the log.",
        write_file(file, b"0\n2\n0 0\n5 30\n"),
        keeps=frozenset({"log.epochs.end"}),
    )
    yield changed_case(
        "epochs/falling",
        "Rows do not rise, which Kafka mends.",
        write_file(file, b"0\n2\n0 9\n1 5\n"),
        "log.epochs.rising",
    )
    yield changed_case(
        "epochs/negative", "An epoch is negative.", write_file(file, b"0\n1\n-1 0\n"), "log.epochs.not-negative"
    )
    yield changed_case(
        "epochs/empty-file", "The checkpoint of leader epochs is empty.", write_file(file, b""), "log.epochs.batches"
    )
    point, mark = "recovery-point-offset-checkpoint", "replication-offset-checkpoint"
    yield changed_case(
        "offsets/at-the-end",
        "Checkpoints are at the end of the log.",
        each(write_file(point, b"0\n1\norders 0 30\n"), write_file(mark, b"0\n1\norders 0 30\n")),
        keeps=frozenset({"log.offsets.order", "log.checkpoint.partition"}),
    )
    yield changed_case(
        "offsets/beyond-the-end",
        "A recovery point is beyond the end of the log.",
        write_file(point, b"0\n1\norders 0 31\n"),
        "log.offsets.order",
    )
    yield changed_case(
        "offsets/no-such-partition",
        "A checkpoint names a partition that is not there.",
        write_file(mark, b"0\n1\nnobody 0 1\n"),
        "log.checkpoint.partition",
    )
    marker_file = ".kafka_cleanshutdown"
    yield changed_case(
        "marker/true",
        "A marker of a clean stop, and trimmed indexes.",
        write_file(marker_file, b'{"version":0,"brokerEpoch":15}'),
        keeps=frozenset({"log.clean-shutdown.truth", "log.clean-shutdown.json"}),
    )
    stopped = write_file(marker_file, b'{"version":0,"brokerEpoch":15}')
    yield changed_case(
        "offsets/stopped",
        "A broker was stopped, and wrote its checkpoints.",
        each(stopped, write_file(point, b"0\n1\norders 0 30\n"), write_file(mark, b"0\n1\norders 0 30\n")),
        keeps=frozenset({"log.checkpoint.present"}),
    )
    yield changed_case(
        "offsets/stopped-without-points",
        "A broker was stopped, and its recovery points are gone.",
        each(stopped, write_file(mark, b"0\n1\norders 0 30\n")),
        "log.checkpoint.present",
    )
    yield changed_case(
        "offsets/stopped-without-watermarks",
        "A broker was stopped, and its high watermarks are gone.",
        each(stopped, write_file(point, b"0\n1\norders 0 30\n")),
        "log.checkpoint.present",
    )
    untrimmed = each(write_file(marker_file, b'{"version":0,"brokerEpoch":15}'), add(name(LAST, "index"), bytes(16)))
    yield changed_case(
        "marker/lie",
        "A marker of a clean stop, and an index that was not trimmed.",
        untrimmed,
        "log.clean-shutdown.truth",
    )
    yield changed_case(
        "names/no-number", "A file is called abc.log.", write_file("orders-0/abc.log", b""), "log.name.number"
    )
