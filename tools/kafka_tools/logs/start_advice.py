"""What to do about what keeps a node from starting, by the kind of the fault."""

from typing import Final

from kafka_format.log.start import Fault, PartitionStart

_FETCH: Final = (
    "With other voters: stop the node, empty the folder __cluster_metadata-0 but keep meta.properties, "
    "and start it: it fetches everything."
)
_ALONE: Final = (
    "A lone voter needs the log cut before the batch, and loses its metadata from there on: copy the directory first."
)
_OF_RECORD: Final = f"{_FETCH} {_ALONE}"
_OLDER: Final = (
    "Move the snapshot away if an older one is there, or if the log begins at 0; then the node loads "
    "that. Caution: with voters in the metadata log (kraft.version 1) these may stand in snapshots alone."
)
_RELEASE: Final = "If a newer release wrote it, start that release."
_RIGHTS: Final = "Give the user of the broker the right to read it."

_BY_KIND: Final = {
    "properties-missing": (
        "Bring the file back, or write it: version=1, node.id, cluster.id and directory.id of the node "
        "(in the metadata log, or as its other directories have them)."
    ),
    "properties-unreadable": (
        "Repair it: version=1, node.id, cluster.id, directory.id; another data directory of the node shows how."
    ),
    "properties-without-ids": (
        "Write version=1, and node.id and cluster.id, into it; another data directory of the node shows how."
    ),
    "properties-cluster": "Leave the directory of the other cluster out of log.dirs, or put the id right.",
    "properties-of-kraft": (
        "This is the directory of a node of KRaft: start it as one (process.roles), or leave it out of log.dirs."
    ),
    "remote-cache-name": "Move it out of the folder: it has no name of a fetched index.",
    "properties-node": "This is the directory of another node: start that one, or put node.id of the settings right.",
    "properties-other-node": "If node.id of the settings is that of these brokers, put the right id into it.",
    "properties-reserved": (
        "Put the directory.id of the node back: registrations of the broker and voters in the metadata log name it."
    ),
    "properties-same-directory": "One is a copy of the other: leave the copy out of log.dirs.",
    "metadata-elsewhere": (
        "Put metadata.log.dir of the settings right, or move the folder to the directory that it names."
    ),
    "bootstrap-broken": (
        "Move bootstrap.checkpoint away if the metadata log has records: they have all that stands in it."
    ),
    "bootstrap-without-level": (
        "Move bootstrap.checkpoint away if the metadata log has records: they have all that stands in it."
    ),
    "bootstrap-level": _RELEASE,
    "file-unreadable": _RIGHTS,
    "file-unwritable": "Give the user of the broker the right to write it: segments and indexes are opened for that.",
    "folder-unwritable": (
        "Give the user of the broker the right to write in it before any start: 4.0 and later empty the segment beside "
        "which they cannot write."
    ),
    "lock-broken": "Give the user of the broker the right to write it, or remove it if no broker runs here.",
    "epochs-exhausted": (
        "No epoch is left for another leader. If quorum-state says so alone, remove the file; else the batch with that "
        f"leader epoch is at fault. {_OF_RECORD}"
    ),
    "epochs-broken": (
        "Stop the broker and remove the file: it is written anew from the batches of segments that are read."
    ),
    "name-without-number": "Move it out of the folder.",
    "metadata-version-too-low": (
        "The level of metadata.version is lower than what the metadata has: the record that lowered it, or the loss of "
        "the one that raised it, is the fault; put the log or snapshot of another controller in its place."
    ),
    "partitions-forgotten": f"A second record with the id of a topic had its partitions forgotten. {_OF_RECORD}",
    "cluster-of-others": "This directory is of another cluster: put cluster.id right, or start it in its own cluster.",
    "snapshot-name": "Move it out of the folder: it ends as a snapshot's name, and has no offset and epoch.",
    "directory-offline-open": (
        "Repair or remove the file: a log with an open transaction ends the process where its directory is offline."
    ),
    "future-in-the-way": (
        "It would take the place of the folder of its partition, which is there in the same directory: keep the one "
        "that has all, and move the other away."
    ),
    "folder-for-file": "Move it away.",
    "file-for-folder": "Move it away.",
    "transaction-index-version": (
        "If no batch of the segment is broken, remove the file together with the .index beside it: both are rebuilt."
    ),
    "end-not-found": (
        "Remove .kafka_cleanshutdown, so that the broker cuts the log; `log start` says then what that costs."
    ),
    "segment-not-loaded": (
        "Give each file the name of its first offset if files were exchanged; else `log rescue` copies what is sound."
    ),
    "topic-id-broken": (
        "Write two lines into it, `version: 0` and `topic_id: ID`. Do not just remove it: the broker then"
        " takes the folder for a stray."
    ),
    "metadata-topic-id": (
        "Write `version: 0` and `topic_id: AAAAAAAAAAAAAAAAAAAAAQ` into it: the metadata log has that id everywhere."
    ),
    "snapshot-missing": f"Bring the snapshot back that reaches to the start of the log. {_FETCH}",
    "snapshot-broken": f"{_OLDER} {_FETCH}",
    "snapshot-empty": f"{_OLDER} {_FETCH}",
    "snapshot-without-header": f"{_OLDER} {_FETCH}",
    "snapshot-folder": _OLDER,
    "record-unreadable": f"{_RELEASE} {_OF_RECORD}",
    "record-contradicts": _OF_RECORD,
    "quorum-state-broken": (
        "Remove the file: the node takes the epoch of its log. With other voters, see first that they are"
        " up: a vote may be given twice in an epoch."
    ),
    "quorum-state-version": f"{_RELEASE} Else remove the file.",
    "voters-unknown": (
        "Either the voters stood in a snapshot that is gone or empty: bring it back. Or the metadata log is of a node "
        f"whose settings name the voters: then set controller.quorum.voters, or bring the right log back. {_FETCH} "
        "If controller.quorum.voters is set, it ends with NoSuchElementException: the snapshot has no header."
    ),
    "voters-of-others": (
        "The snapshot is of another cluster: the log below it names no voters. Move it away: the broker then asks the "
        "controllers of its settings, and fetches what it lacks."
    ),
    "not-a-voter": (
        "The newest record of voters does not name this node: add it with kafka-metadata-quorum.sh "
        "add-controller, through the others."
    ),
    "topic-setting": (
        "Put the value right with a release that takes it, or through another controller; Kafka names "
        "neither the topic nor the record."
    ),
    "partition-twice": "Delete one of the two folders, mostly that in the directory that failed.",
    "name-of-no-partition": "Move it out of the data directory.",
    "directories-offline": "Repair the file that is named; no other data directory is left to go on with.",
    "checkpoint-broken": (
        "Remove the file: the broker then recovers every segment, or begins logs at their first segment."
    ),
}

_STRAYS: Final = {
    "topic-unknown": "the metadata has no topic with its id",
    "no-topic-id": "it has no partition.metadata",
    "partition-unknown": "the metadata has the topic, and no such partition of it",
    "on-other-brokers": "the metadata has it on other brokers",
    "stray": "an earlier start has renamed it",
}


def advice(fault: Fault) -> str:
    """Return what to do about a fault."""
    known = dict(fault.known)
    if fault.kind == "directory-not-voter":
        return f"Write directory.id={known['expected']} into it: that is the voter's, by the metadata log."
    if fault.kind == "topic-id-broken" and "topic_id" in known:
        lines = f"`version: 0` and `topic_id: {known['topic_id']}`"
        return f"Write two lines into it, {lines}. Do not just remove it: the broker then takes the folder for a stray."
    if fault.kind == "directories-offline" and fault.path.name.endswith("-offset-checkpoint"):
        return _BY_KIND["checkpoint-broken"]
    return _BY_KIND.get(fault.kind, "")


def why_stray(partition: PartitionStart) -> str:
    """Return why a folder is a stray."""
    return _STRAYS.get(partition.why, partition.why)


def advice_on_stray(partition: PartitionStart) -> str:
    """Return what to do about a folder that is going to be a stray."""
    if partition.why == "on-other-brokers":
        return "Nothing, if the partition is whole on its other replicas."
    if partition.expected_id is None:
        return "If you need its records, `log rescue` it first; else none is needed."
    lines = f"`version: 0` and `topic_id: {partition.expected_id}`"
    return f"Write two lines into its partition.metadata, {lines}, if these are the records of that topic."
