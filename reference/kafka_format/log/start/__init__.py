"""The start of a KRaft node on its data directories, as Kafka makes it, without changing a file.

`predict` goes the way of KafkaRaftServer: meta.properties, bootstrap.checkpoint, the metadata log
and its snapshots, quorum-state, replay of the metadata, then the partitions and what coordinators
load from theirs. A fault ends the way where it ends Kafka's; what comes behind it is not known.
"""

from kafka_format.log.start.hints import Hints, collect
from kafka_format.log.start.node import Node, Role
from kafka_format.log.start.outcome import (
    DirectoryFault,
    Fault,
    MetadataStart,
    NotServed,
    PartitionStart,
    Start,
    StartFate,
    Verdict,
)
from kafka_format.log.start.prediction import predict_node, predict_with_zookeeper

__all__ = [
    "DirectoryFault",
    "Fault",
    "Hints",
    "MetadataStart",
    "Node",
    "NotServed",
    "PartitionStart",
    "Role",
    "Start",
    "StartFate",
    "Verdict",
    "collect",
    "predict_node",
    "predict_with_zookeeper",
]
