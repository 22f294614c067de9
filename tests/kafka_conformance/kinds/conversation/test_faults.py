"""Which faults of requests count in a conversation."""

from types import SimpleNamespace

from kafka_conformance.kinds.conversation import dialog
from kafka_tools.server.notes import RequestFault

SURPLUS = RequestFault("c", "metadata 13", "protocol.body.exact", "bytes behind", is_overlooked=True)
CUT = RequestFault("c", "fetch 4", "length.within", "it is cut")


def test_what_every_kafka_overlooks_is_no_fault_of_a_conversation():
    state = SimpleNamespace(notes=SimpleNamespace(faults=[SURPLUS, CUT]))
    assert dialog.faults(state) == ["fetch 4: it is cut"]
