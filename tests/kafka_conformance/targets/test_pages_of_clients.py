"""docs/broker.md and docs/live-brokers.md list clients and brokers by hand, with every release."""

from pathlib import Path

import pytest
from kafka_conformance.targets import manifest
from kafka_conformance.targets.manifest import Manifest
from kafka_conformance.targets.target_kind import TargetKind

DOCS = Path(__file__).resolve().parents[3] / "docs"
CLIENTS = manifest.of_kind(TargetKind.CONSUMER, TargetKind.PRODUCER).values()
LISTED = [("broker.md", client) for client in CLIENTS]
LISTED += [("live-brokers.md", broker) for broker in manifest.of_kind(TargetKind.BROKER).values()]


@pytest.mark.parametrize(("page", "described"), LISTED, ids=lambda value: getattr(value, "name", value))
def test_a_page_lists_it_with_every_release(page: str, described: Manifest) -> None:
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    [row] = [line for line in lines if line.startswith(f"| `{described.name}`")]
    assert [version for version in described.all_versions if version not in row] == []
