"""The image of metadata after replay, held against that of Kafka's own classes."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.contents import metadata
from kafka_format.log.contents.image import Image
from kafka_generator.start_vectors import files

RECORDED = [json.loads(line) for line in (Path(__file__).parent / "images.jsonl").read_text().splitlines()]
"""`python -m kafka_generator.recordings.starts.images` writes it, by MetadataDelta of 4.4.0."""

Fact = tuple[str, ...]


def facts(image: Image) -> Iterator[Fact]:
    """Yield what Kafka's program prints of an image."""
    for name, level in image.features.items():
        if level:
            yield "feature", name, str(level)
    for number, broker in image.brokers.items():
        states = (broker.fenced, broker.in_controlled_shutdown)
        yield "broker", str(number), str(broker.epoch), *(str(each).lower() for each in states), _join(broker.log_dirs)
    for number, topic in image.topics.items():
        yield "topic", topic.name, number
        for at, each in topic.partitions.items():
            ends = (each.leader, each.leader_epoch, each.partition_epoch)
            lists = (_join(each.replicas), _join(each.isr))
            yield "partition", topic.name, str(at), *lists, *map(str, ends), _join(each.directories)
    for (kind, resource), values in image.configs.items():
        yield from (("config", str(kind), resource, name, value) for name, value in values.items())
    yield "producers", str(-1 if image.next_producer_id is None else image.next_producer_id)
    yield from (("acl", number) for number in image.acls)


def _join(values: tuple[object, ...]) -> str:
    return ",".join(map(str, values))


@pytest.mark.parametrize("line", RECORDED, ids=lambda line: f"{line['base']} to {line['at']}")
def test_the_image_is_that_of_kafka(line: Mapping[str, Any], tmp_path: Path) -> None:
    files.lay_out(files.bases()[line["base"]], [], tmp_path)
    folder = tmp_path / "data" / "__cluster_metadata-0"
    with PartitionLog(folder) as log:
        found = metadata.replay(log, until=line["at"])
    assert found.faults == []
    assert sorted(facts(found.image)) == sorted(map(tuple, line["image"]))
