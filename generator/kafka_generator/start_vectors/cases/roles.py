"""Nodes that are only a controller, or only a broker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import DATA, QUORUM, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts
from kafka_generator.start_vectors.contents import metadata

_UNKNOWN_ID = b"\7" * 16


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    controller, broker = facts["controller"], facts["broker"]
    for name, title, changes in _of_controller(controller):
        yield Case(f"controller/{name}", title, "controller", changes, role="controller")
    for name, title, changes in _of_broker(broker):
        yield Case(f"broker/{name}", title, "broker", changes, role="broker")


def _of_controller(facts: Facts) -> Iterator[tuple[str, str, tuple[edits.Edit, ...]]]:
    yield "sound", "Nothing is changed.", ()
    for name, title, value in (
        ("fence-stale", "A broker is fenced in an old epoch.", metadata("fence_broker_record", 0, id=2, epoch=1)),
        (
            "feature-unknown",
            "A feature is set that no release has.",
            metadata("feature_level_record", 0, name="colour.version", feature_level=1),
        ),
        ("unknown-type", "A record has the type 99.", contents.framed(99, 0, b"\0")),
        (
            "config-no-number",
            "retention.ms of a topic is no number.",
            metadata("config_record", 0, resource_type=2, resource_name="plain", name="retention.ms", value="abc"),
        ),
        (
            "remove-no-topic",
            "A topic is removed that is not there.",
            metadata("remove_topic_record", 0, topic_id=_UNKNOWN_ID),
        ),
        (
            "unregister-unknown",
            "A broker is unregistered that is not there.",
            metadata("unregister_broker_record", 0, broker_id=5, broker_epoch=1),
        ),
    ):
        yield name, title, (edits.append(LOG, contents.of_metadata(facts.end(), value)),)
    yield (
        "snapshot-bit",
        "One bit of the newest snapshot is flipped.",
        (edits.flip(facts.snapshot, facts.batches(facts.snapshot)[1].end - 20),),
    )
    yield "quorum-state-empty", "quorum-state has no bytes.", (edits.write(f"{QUORUM}/quorum-state", b""),)
    yield "odd-folder", "A folder has a name that is no partition's.", (edits.folder_at(f"{DATA}/backup"),)
    yield (
        "partition-broken",
        "A partition's partition.metadata has no bytes.",
        (
            edits.write(f"{DATA}/plain-0/partition.metadata", b""),
            edits.write(f"{DATA}/plain-0/{0:020}.log", b""),
        ),
    )


def _of_broker(facts: Facts) -> Iterator[tuple[str, str, tuple[edits.Edit, ...]]]:
    yield "sound", "Nothing is changed.", ()
    last = facts.batches()[-1]
    cut = edits.cut(LOG, last.position)
    for name, title, value in (
        (
            "fence-stale",
            "In place of the last record, a broker is fenced in an old epoch.",
            metadata("fence_broker_record", 0, id=2, epoch=1),
        ),
        (
            "remove-no-topic",
            "In place of the last record, a topic is removed that is not there.",
            metadata("remove_topic_record", 0, topic_id=_UNKNOWN_ID),
        ),
        (
            "feature-unknown",
            "In place of the last record, a feature is set that no release has.",
            metadata("feature_level_record", 0, name="colour.version", feature_level=1),
        ),
        ("unknown-type", "In place of the last record, there is one of type 99.", contents.framed(99, 0, b"\0")),
        (
            "config-no-number",
            "In place of the last record, retention.ms of a topic is no number.",
            metadata("config_record", 0, resource_type=2, resource_name="plain", name="retention.ms", value="abc"),
        ),
    ):
        values = [value] + [metadata("no_op_record")] * ((last.count or 1) - 1)
        yield name, title, (cut, edits.append(LOG, contents.of_metadata(last.offset, *values)))
    yield (
        "snapshot-bit",
        "One bit of the newest snapshot is flipped.",
        (edits.flip(facts.snapshot, facts.batches(facts.snapshot)[1].end - 20),),
    )
    yield (
        "snapshot-half",
        "The newest snapshot is cut in half.",
        (edits.cut(facts.snapshot, len(facts.files[facts.snapshot]) // 2),),
    )
    yield "quorum-state-empty", "quorum-state has no bytes.", (edits.write(f"{QUORUM}/quorum-state", b""),)
    yield "metadata-removed", "The folder of the metadata log is gone.", (edits.remove(QUORUM),)
    yield (
        "log-longer",
        "The broker has a record that the controller has not.",
        (edits.append(LOG, contents.of_metadata(facts.end(), metadata("no_op_record"))),),
    )
    yield (
        "no-directory",
        "There is no id of the directory.",
        (edits.replace(f"{DATA}/meta.properties", f"directory.id={facts.directory_id}\n", ""),),
    )
    yield (
        "other-cluster",
        "The id of the cluster is another.",
        (edits.replace(f"{DATA}/meta.properties", "a2Fma2EtZm9ybWF0LWNvbg", "0123456789ABCDEFGHIJKA"),),
    )
    yield "topic-id-removed", "partition.metadata is missing.", (edits.remove(f"{DATA}/plain-0/partition.metadata"),)
