"""Files of the metadata log: its segments, and what stands beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.cases.case import QUORUM, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts

_EPOCHS: Final = f"{QUORUM}/leader-epoch-checkpoint"
_TOPIC_ID: Final = f"{QUORUM}/partition.metadata"

Change = tuple[str, str, tuple[edits.Edit, ...]]

_OF_VOTERS: Final = {
    "tail-cut",
    "bit-above-snapshot",
    "bit-below-snapshot",
    "bit-in-first",
    "empty",
    "all-removed",
    "topic-id-other",
}
"""What may come out otherwise where voters stand in the metadata log."""


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    for base in ("static", "dynamic"):
        for name, title, changes in (*_segment(facts[base]), *_beside(facts[base])):
            if base == "static" or name in _OF_VOTERS:
                yield Case(f"metadata-log/{base}/{name}", title, base, changes)


def _segment(facts: Facts) -> Iterator[Change]:
    parts = facts.batches()
    above = next(batch for batch in parts if batch.offset > facts.snapshot_end)
    below = parts[3]
    last = parts[-1]
    yield "tail-cut", "The last batch of the log is cut.", (edits.cut(LOG, -5),)
    yield (
        "bit-above-snapshot",
        "One bit of a batch above the newest snapshot is flipped.",
        (edits.flip(LOG, above.end - 1),),
    )
    yield (
        "bit-below-snapshot",
        "One bit of a batch below the newest snapshot is flipped.",
        (edits.flip(LOG, below.end - 1),),
    )
    yield "bit-in-first", "One bit of the first batch is flipped.", (edits.flip(LOG, parts[0].end - 1),)
    yield "zeros-behind", "Zeros stand behind the log.", (edits.append(LOG, bytes(4096)),)
    yield "last-twice", "The last batch stands there twice.", (edits.append(LOG, last.data),)
    yield (
        "batch-missing",
        "A batch above the newest snapshot is missing.",
        (edits.write(LOG, facts.files[LOG][: above.position] + facts.files[LOG][above.end :]),),
    )
    yield "empty", "The segment has no bytes.", (edits.write(LOG, b""),)
    yield "folder", "The segment is a folder.", (edits.folder_at(LOG),)
    yield "unreadable", "The segment may not be read.", (edits.unreadable(LOG),)
    yield "all-removed", "The folder of the metadata log is gone.", (edits.remove(QUORUM),)
    second = f"{QUORUM}/{above.offset:020}.log"
    data = facts.files[LOG]
    split = (edits.cut(LOG, above.position), edits.write(second, data[above.position :]))
    yield "two-segments", "The log has two segments.", split
    yield (
        "two-segments-cut",
        "The first of two segments is cut.",
        (
            edits.cut(LOG, above.position - 5),
            edits.write(second, data[above.position :]),
        ),
    )


def _beside(facts: Facts) -> Iterator[Change]:
    end = facts.end()
    yield "topic-id-empty", "partition.metadata has no bytes.", (edits.write(_TOPIC_ID, b""),)
    yield "topic-id-removed", "partition.metadata is missing.", (edits.remove(_TOPIC_ID),)
    other = b"version: 0\ntopic_id: 0123456789ABCDEFGHIJKA"
    yield "topic-id-other", "partition.metadata has another id.", (edits.write(_TOPIC_ID, other),)
    yield (
        "topic-id-version",
        "partition.metadata has the version 1.",
        (edits.replace(_TOPIC_ID, "version: 0", "version: 1"),),
    )
    yield "epochs-empty", "leader-epoch-checkpoint has no bytes.", (edits.write(_EPOCHS, b""),)
    yield "epochs-removed", "leader-epoch-checkpoint is missing.", (edits.remove(_EPOCHS),)
    yield "epochs-zeros", "leader-epoch-checkpoint is all zeros.", (edits.write(_EPOCHS, bytes(8)),)
    yield "epochs-malformed", "leader-epoch-checkpoint has a row of one number.", (edits.write(_EPOCHS, b"0\n1\n1\n"),)
    yield (
        "epochs-count",
        "leader-epoch-checkpoint has fewer rows than it says.",
        (edits.write(_EPOCHS, b"0\n2\n1 0\n"),),
    )
    beyond = f"0\n2\n1 0\n4 {end + 50}\n".encode()
    yield (
        "epochs-beyond",
        "leader-epoch-checkpoint has an epoch that begins beyond the end.",
        (edits.write(_EPOCHS, beyond),),
    )
    yield "odd-name", "A file of the log has no number in its name.", (edits.write(f"{QUORUM}/abc.log", b""),)
    yield "index-folder", "The offset index is a folder.", (edits.folder_at(f"{QUORUM}/{0:020}.index"),)
    yield "other-file", "There is a file that Kafka does not know.", (edits.write(f"{QUORUM}/notes.txt", b"text"),)
