"""The whole start, step by step."""

from __future__ import annotations

from typing import Final

from kafka_format.log.contents import features
from kafka_format.log.contents.image import Image
from kafka_format.log.contents.image_losses import losses
from kafka_format.log.contents.kafka_error import KafkaError
from kafka_format.log.kraft import FOLDER
from kafka_format.log.start import bootstrap, coordinators, directories, metadata, quorum, rights
from kafka_format.log.start.directories import Directories
from kafka_format.log.start.metadata_records import MetadataReader, never_ready
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import Fault, MetadataStart, Start, Stopped
from kafka_format.log.start.partitions import PartitionLoader
from kafka_format.log.start.unloadable import Unloadable
from kafka_format.log.text import clean_shutdown, meta_properties
from kafka_format.log.text.meta_properties import MetaProperties

LAST_WITH_ZOOKEEPER: Final = (3, 9)


def predict_with_zookeeper(node: Node) -> Start:
    """Return what a start of a broker with ZooKeeper does, as far as its files decide it.

    Which topics there are stands in ZooKeeper: no folder is a stray.

    Raises:
        OSError: a directory is not there, or changes meanwhile.
    """
    start = Start(is_clean=_is_clean(node), not_looked_at=["zookeeper"])
    try:
        found = directories.check_of_zookeeper(node)
        start.offline += found.offline
        PartitionLoader(node, found, start, with_zookeeper=True).load()
        coordinators.load(node, start)
    except Stopped as end:
        start.verdict, start.fault = end.verdict, end.fault
    return start


def predict_node(node: Node) -> Start:
    """Return what a start of a KRaft node does; change nothing.

    Raises:
        OSError: a directory is not there, or changes meanwhile.
        ValueError: nothing is known of the release.
    """
    if node.release not in features.releases():
        known = ", ".join(".".join(map(str, each)) for each in features.releases())
        raise ValueError(f"how {'.'.join(map(str, node.release))} starts is not known; known are {known}")
    start = Start(is_clean=_is_clean(node))
    try:
        _go(node, start)
    except Stopped as end:
        start.verdict, start.fault = end.verdict, end.fault
    return start


def _is_clean(node: Node) -> bool:
    """Tell whether all data directories have the marker of a clean stop."""
    return all((directory / clean_shutdown.NAME).exists() for directory in node.directories)


def _go(node: Node, start: Start) -> None:
    found = directories.check(node)
    start.offline += found.offline
    bootstrap.check(node)
    _load_metadata(node, start, found)
    if not node.role.is_broker:
        return
    PartitionLoader(node, found, start).load()
    coordinators.load(node, start)


def _check_node(node: Node, start: Start, found: Directories) -> None:
    """Refuse an id of the node that the metadata does not know, if the settings are not known.

    They most likely have the id of the node whose partitions are here, and Kafka ends at the
    difference.
    """
    number, image = found.properties[node.metadata].node_id, start.image
    if node.node_id is not None or image is None or not image.brokers or not node.role.is_broker:
        return
    replicas = {each for topic in image.topics.values() for part in topic.partitions.values() for each in part.replicas}
    folders = [path for directory in node.directories for path in directory.iterdir() if path.is_dir()]
    if number in {*image.brokers, *replicas} or not replicas or all(path.name == FOLDER for path in folders):
        return
    path = node.metadata / meta_properties.NAME
    known = ", ".join(map(str, sorted(replicas)))
    message = f"Stored node id {number} doesn't match previous node id"
    fault = Fault("properties-other-node", path, KafkaError("RuntimeException", message), known=(("brokers", known),))
    raise Stopped(fault)


def _check_losses(node: Node, image: Image) -> None:
    """End a node that cannot write its image; a broker alone logs it, and is never ready."""
    for error in losses(image, node.release):
        kind = "metadata-version-too-low"
        if node.role.is_controller:
            raise Stopped(Fault(kind, node.quorum, error))
        raise never_ready(kind, node.quorum, logged=str(error))


def _check_forgotten(node: Node, image: Image, number: int | None) -> None:
    """Have a broker wait for ever whose controller cannot register it (BrokersToIsrs).

    That ends at the first partition that it has by the broker and not by its topic.
    """
    for (topic, partition), isr in image.forgotten.items():
        if node.role.is_controller and node.role.is_broker and number in isr and topic in image.topics:
            said = f"Partition {topic}:{partition} existed in isrMembers, but not in the partitions map."
            raise never_ready("partitions-forgotten", node.quorum, logged=said)


def _check_cluster(node: Node, properties: MetaProperties) -> None:
    """Have a broker wait for ever for controllers of another cluster (INCONSISTENT_CLUSTER_ID)."""
    if node.cluster_id is not None and not node.role.is_controller and properties.cluster_id != node.cluster_id:
        known = {"found": properties.cluster_id or "", "expected": node.cluster_id}
        raise never_ready("cluster-of-others", node.metadata / meta_properties.NAME, **known)


def _is_fetched(node: Node, found: MetadataStart) -> bool:
    """Tell whether a broker alone lacks metadata that it had: controllers send it what there is."""
    if node.role.is_controller:
        return False
    is_empty = found.recovery is None and found.snapshot is None
    has_lost = found.lost_from is not None or (found.recovery is not None and found.recovery.lost_bytes > 0)
    return is_empty or found.is_removed or has_lost


def _load_metadata(node: Node, start: Start, found: Directories) -> None:
    if not node.role.is_broker or node.metadata not in node.directories:
        try:
            rights.check_lock(node.metadata)
        except Unloadable as unloadable:
            raise Stopped(unloadable.fault) from unloadable
    start.metadata, read = metadata.load(node)
    start.read_bytes += read
    reader = MetadataReader(node, start.metadata)
    reader.decode()
    if start.metadata.snapshot is not None and not reader.has_footer:
        start.notes.append(("snapshot-not-whole", start.metadata.snapshot, ""))
    state = quorum.check_state(node)
    version = state.version if state is not None else None
    quorum.check_voter(node, start.metadata, reader, found.properties[node.metadata], version)
    quorum.check_epoch(node, start.metadata, state)
    if reader.quorum.voters is None and node.has_static_voters is None:  # they stand in the settings, if anywhere
        (start.not_looked_at if start.metadata.recovery is None else start.assumed).append("voters")
    if not node.role.is_controller:
        start.assumed.append("controllers")
    _check_cluster(node, found.properties[node.metadata])
    quorum.check_controllers(node, start.metadata, reader)
    replay, start.metadata = reader.replay()
    start.image = None if _is_fetched(node, start.metadata) else replay.image
    _check_node(node, start, found)
    if start.image is not None:
        _check_forgotten(node, start.image, found.properties[node.metadata].node_id)
    if start.image is not None and start.image.offset:
        _check_losses(node, start.image)
    if not node.role.is_controller:
        start.not_looked_at.append("log-of-controllers")
