"""What a broken rule costs: what Kafka does with such a file, and what to do about it."""

from typing import NamedTuple


class Effect(NamedTuple):
    """What Kafka does about a broken rule, and advice for the operator."""

    kafka: str
    advice: str


_BROKEN = Effect(
    "readers of the batch get an error; after a crash the log is cut here, and everything after it is removed",
    "`log recover` says what would be lost; with other replicas, the broker fetches it from the leader.",
)
_CUT = _BROKEN.advice
_REBUILD = (
    "If no batch of the segment is broken, stop the broker and remove the file: it is rebuilt at the start."
    " Or write it with `log recover --out`."
)
_REBUILD_BOTH = (
    "If no batch of the segment is broken, stop the broker, and remove the file together with the .index beside it:"
    " both are rebuilt at the start."
)
"""A start that makes an offset index cuts the segment at its first broken batch."""

_FILES_EXCHANGED = (
    "Give each file the name of its first offset if files were exchanged; else `log rescue` copies what is sound."
)
_NOT_STARTED = "the broker does not start with it"

_EFFECTS: dict[str, Effect] = {
    "v2.": _BROKEN,
    "legacy.": _BROKEN,
    "entry.magic.known": Effect("it is read as v2 if it is above 2, and as v0 if it is below 0", _CUT),
    "entry.": Effect("a fetch stops here; in the last segment the broker does not start after a clean stop", _CUT),
    "log.name.digits": Effect(
        "it makes an empty segment with 20 digits in its name instead, and never reads what is in this one",
        "Stop the broker, and give the files of the segment names with 20 digits before it starts.",
    ),
    "log.segment.tail": Effect("it is not seen after a clean stop, and cut off after a crash", _CUT),
    "log.segment.base": Effect(
        "it is read, by the offset in its name; after a crash the broker does not start", _FILES_EXCHANGED
    ),
    "log.segment.range": Effect("it is read; after a crash the segment is split", "Nothing."),
    "log.segment.rising": Effect("lookups may miss it; after a crash the whole segment may be emptied", _CUT),
    "log.segment.join": Effect(
        "it reports nothing; lookups go by the name of the file, and consumers skip records", _FILES_EXCHANGED
    ),
    "log.segment.gap": Effect(
        "it reports nothing; consumers go on after the gap, and never see the records in it",
        "Bring the files of the segment back while the broker is stopped, or let the broker fetch the partition again.",
    ),
    "log.segment.epochs": Effect(
        "it reports nothing; replicas may be cut at the wrong offset", "Compare the replicas."
    ),
    "log.offset-index.present": Effect(
        "even after a clean stop the start reads the segment, makes the index, and cuts at the first broken batch",
        "Nothing if no batch of the segment is broken; else `log rescue` before the start.",
    ),
    "log.offset-index.batch": Effect("reads that land there get a corrupt record", _REBUILD),
    "log.offset-index.covers": Effect("lookups miss what is before", _REBUILD),
    "log.offset-index.trimmed": Effect("zeros are taken for entries since 2.3; offsets are still found", _REBUILD),
    "log.offset-index.size": Effect("the rest is ignored since 2.3; before, the broker did not start", _REBUILD),
    "log.offset-index.": Effect("since 2.3 nothing checks it, and lookups may go wrong", _REBUILD),
    "log.time-index.trimmed": Effect(
        "lookups by time find nothing, and retention treats the segment as old", _REBUILD_BOTH
    ),
    "log.time-index.last": Effect("retention and lookups by time treat the segment as older than it is", _REBUILD_BOTH),
    "log.time-index.": Effect("lookups by time may go wrong, and so may retention", _REBUILD_BOTH),
    "log.transaction-index.": Effect("read_committed may show aborted records, or wait", _REBUILD_BOTH),
    "log.snapshot.state": Effect(
        "it reports nothing; producers may be fenced or repeat records", "Remove the snapshot."
    ),
    "log.snapshot.present": Effect(
        "it starts and serves the log; with tiered storage it never copies the segment before, nor any later one",
        "For a topic with tiered storage: `log recover --out DIR` writes it; put it there while the broker is stopped.",
    ),
    "log.snapshot.": Effect("the file is removed, and an older one is used", "Nothing."),
    "log.epochs.batches": Effect(
        "replicas may be cut at the wrong offset",
        "`log recover --out DIR` writes it from the batches; put it there while the broker is stopped.",
    ),
    "log.epochs.end": Effect(
        "the start drops the row; unless the log was longer, and lost its end",
        "If files of the log were lost, bring them back before the start; else nothing.",
    ),
    "log.epochs.": Effect("the data directory goes offline", "Stop the broker and remove the file."),
    "log.checkpoint.partition": Effect("it is ignored", "Nothing."),
    "log.checkpoint.": Effect("the file cannot be read, and the data directory goes offline", "Remove the file."),
    "log.offsets.order": Effect(
        "it takes the end of the log instead, and does not report the records that were there",
        "If files of the log were lost, bring them back before the start, or let the broker fetch the partition again.",
    ),
    "log.clean-shutdown.truth": Effect("the log is not recovered, though it was not closed", "Remove the marker."),
    "log.clean-shutdown.": Effect("the epoch of the broker is unknown", "Nothing."),
    "log.partition-metadata.known": Effect(
        "since 3.7.1 a broker of KRaft renames the folder to `-stray`, and begins an empty one;"
        " if another topic there has the id, the partition is not served (InconsistentTopicIdException)",
        "If these are the records of that topic, write two lines into its partition.metadata: `version: 0` and"
        " `topic_id: ID`, with the id in the metadata log.",
    ),
    "log.partition-metadata.": Effect(
        _NOT_STARTED,
        "Write it again: two lines, `version: 0` and `topic_id: ID`. `kafka-topics.sh --describe` shows the id."
        " Do not just remove it: a broker of KRaft then takes the partition for a stray and begins an empty one.",
    ),
    "log.meta-properties.": Effect(
        _NOT_STARTED, "Repair it; the file of another data directory of the broker shows how."
    ),
    "log.contents.metadata": Effect(
        "a node does not start: it reads every record at its start",
        "`log start` says what to do. If a newer release wrote it, start that release.",
    ),
    "log.contents.image": Effect(
        "a controller does not start; a broker alone passes it over, and goes on with other metadata",
        "`log start` says what to do.",
    ),
    "log.contents.coordinator": Effect(
        "its coordinator loads nothing of the partition, or nothing behind the record; `log start` says which",
        "Take the partition from a replica that is whole; or copy the log without the batch, and lose what it has.",
    ),
    "log.contents.remote": Effect(
        "the broker stops reading remote log metadata, and meets the record again at the next start",
        "Copy the log without the batch; with other replicas of the partition, take it from one that is whole.",
    ),
    "log.quorum-state.epoch": Effect("a node warns, and takes the epoch of the log", "Nothing."),
    "log.quorum-state.": Effect(_NOT_STARTED, "Remove the file if other voters are there."),
    "log.kraft-snapshot.log": Effect(
        "a node loads the metadata without the records between them",
        "Bring the snapshot back, or empty the folder if other voters are there: the node fetches everything again.",
    ),
    "log.kraft-snapshot.": Effect(
        "the snapshot is not complete, and what it lacks is missing in the metadata",
        "Move it away if an older snapshot and the log reach as far; else empty the folder if other voters are there.",
    ),
    "log.name.": Effect(_NOT_STARTED, "Move it out of the data directory."),
    "log.file.orphan": Effect(
        "it is removed at the start, and nothing else is reported",
        "If a segment was lost, bring its file back before the start, or take it from a replica; else nothing.",
    ),
}
"""By rule, or how rules begin; the first that fits holds."""


_OF_FILES: dict[tuple[str, str], Effect] = {
    ("log.offsets.order", "log-start-offset-checkpoint"): Effect(
        "all segments are removed, and the log begins again at that offset",
        "Repair the row before the start: the offset of the first segment is the least that it may be.",
    ),
}
"""By rule and file, where it matters in which file a rule is broken."""


_OF_SNAPSHOTS = Effect(
    "if it is the newest snapshot, a node does not start",
    "Move it away if an older one is there, or if the log begins at 0; `log start` says what comes then.",
)


def effect(rule: str, file: str = "") -> Effect | None:
    """Return the effect of a broken rule in a file of that name; None if none is listed."""
    if file.endswith(".checkpoint") and rule.startswith(("v2.", "entry.", "legacy.")):
        return _OF_SNAPSHOTS
    if (rule, file) in _OF_FILES:
        return _OF_FILES[rule, file]
    return next((consequence for start, consequence in _EFFECTS.items() if rule.startswith(start)), None)
