"""How far the reference gets: what is missing here is never asked, so nothing must be."""

from kafka_format import records, structure
from kafka_format.records import decoding, legacy
from kafka_format.spec.layout import loader
from kafka_format.spec.layout.types import INTEGERS
from kafka_generator.mutants.kills import active
from kafka_generator.mutants.reach import reach

BATCH = structure("record_batch").encode({"records": [{"value": b"a"}]})
MESSAGES = records.encode([records.Record(0, value=b"a")], magic=1)


def test_functions_and_layouts_that_are_met_are_found():
    found = reach(lambda: records.decode(BATCH))
    assert {decoding._records.__code__, "record_batch", "record"} <= found
    assert not found & {legacy.read.__code__, "message_v1"}
    assert {legacy.read.__code__, "message_v1", "message_set_entry"} <= reach(lambda: records.decode(MESSAGES))


def met(change):
    """Tell whether a batch, and a message, get to what is changed."""
    reached = [reach(lambda data=data: records.decode(data)) for data in (BATCH, MESSAGES)]
    with active(change) as patch:
        return [patch.is_met(places) for places in reached]


def test_a_change_is_met_by_what_gets_to_it():
    assert met(lambda patch: patch.result(legacy._record, lambda record: record)) == [False, True]
    assert met(lambda patch: patch.field("header", "value", type=INTEGERS["int8"])) == [True, False]
    assert met(lambda patch: patch.field("message_v1", "crc", minimum=1)) == [False, True]


def test_what_everybody_may_use_is_met_by_all():
    assert met(lambda patch: patch.constant(decoding, "_SMALLEST_RECORD", 1)) == [True, True]
    values = loader.specification().enums["control_type"].values
    assert met(lambda patch: patch.enum("control_type", {**values, 77: "new"})) == [True, True]
