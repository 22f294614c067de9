"""Conversations that are held in this process, in no time."""

import pytest
from kafka_conformance.kinds.conversation import dialog, server

from tests.kafka_conformance.kinds.conversation.in_process import World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A world in which a client holds conversations with a broker by calls."""
    made = World()
    monkeypatch.setattr(dialog, "running", made.running)
    monkeypatch.setattr(dialog, "monotonic", made.clock)
    monkeypatch.setattr(dialog, "sleep", made.clock.sleep)
    monkeypatch.setattr(server, "monotonic", made.clock)
    return made
