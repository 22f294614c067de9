"""What coordinators have after loading, held against what Kafka's admin client says of them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.contents import coordinators
from kafka_format.log.contents.coordinators import Loaded
from kafka_format.log.contents.releases import release
from kafka_format.spec.layout import specification
from kafka_generator.start_vectors import files

RECORDED = [json.loads(line) for line in (Path(__file__).parent / "described.jsonl").read_text().splitlines()]
"""`python -m kafka_generator.recordings.starts.described` writes it, by real brokers."""


def facts(groups: Loaded, transactions: Loaded) -> Iterator[tuple[str, ...]]:
    """Yield what an admin client sees of both coordinators; consumers' groups alone."""
    states = specification().enums["transaction_status"].values
    for name, group in groups.groups.groups.items():
        if group.kind in {"classic", "consumer"}:
            yield "group", name, group.kind
    for (name, topic, partition), known in groups.groups.offsets.items():
        yield "offset", name, f"{topic}-{partition}", str(known.offset)
    for name, value in transactions.transactions.items():
        state = "".join(word.capitalize() for word in states[value.transaction_status].split("_"))
        yield "transaction", name, state, str(value.producer_id)
        touched = [f"{each.topic}-{part}" for each in value.transaction_partitions or () for part in each.partition_ids]
        shown = f"[{', '.join(touched)}]"
        yield "producer", name, str(value.producer_epoch), str(value.transaction_timeout_ms), shown


@pytest.mark.parametrize("line", RECORDED, ids=lambda line: f"{line['id']} {line['release']}")
def test_what_coordinators_have_is_what_kafka_says(line: Mapping[str, Any], tmp_path: Path) -> None:
    variants = {each["id"]: each for each in files.read(files.FOLDER / files.VARIANTS)}
    variant, version = variants[line["id"]], release(line["release"])
    files.lay_out(files.bases()[variant["base"]], variant["edits"], tmp_path)
    loaded = list[Loaded]()
    for topic in (coordinators.OFFSETS, coordinators.TRANSACTIONS):
        with PartitionLog(tmp_path / "data" / f"{topic}-0") as log:
            loaded.append(coordinators.load(log, topic, version))
    assert sorted(facts(*loaded)) == sorted(map(tuple, line["described"]))
