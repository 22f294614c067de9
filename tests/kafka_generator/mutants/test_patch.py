"""A patch reaches whoever has the right function by name, and nothing of it stays."""

import sys

import kafka_format
import pytest
from kafka_format import records, structure
from kafka_format.broker.consumer import _Fetch, deliver
from kafka_format.codec import prefix as prefixes
from kafka_format.log.batches import batches
from kafka_format.primitives import integers
from kafka_format.records import decoding, entries, legacy, model
from kafka_format.records.model import Record
from kafka_format.spec import layout
from kafka_format.spec.layout.types import INTEGERS
from kafka_generator.mutants.kills import active
from kafka_tools.errors import UsageError

BATCH = structure("record_batch").encode({"base_offset": 7, "records": [{"value": b"a"}]})
OTHER = b"\x00" + BATCH[1:20] + b"\x00" + BATCH[21:]
"""The same with another checksum."""


def test_a_function_is_replaced_wherever_it_is_known_by_name_and_only_while_active():
    right = integers.int64
    with active(lambda patch: patch.replace(integers.int64, lambda number: number % 5)):
        assert decoding.int64 is legacy.int64 is integers.int64 is not right
        assert [record.offset for record in records.decode(BATCH)] == [2]
    assert decoding.int64 is legacy.int64 is integers.int64 is right
    assert [record.offset for record in records.decode(BATCH)] == [7]


def test_a_method_is_replaced():
    with active(lambda patch: patch.always(_Fetch._is_before, returns=True)):
        assert deliver(BATCH, 0).records == []
    assert [record.offset for record in deliver(BATCH, 0).records] == [7]


def test_a_wrapped_function_gets_the_right_one_and_may_be_wrapped_again():
    def twice(patch):
        patch.wrap(integers.int64, lambda right, number: right(number) + 1)
        patch.result(integers.int64, lambda number: number * 10)

    with active(twice):
        assert [record.offset for record in records.decode(BATCH)] == [80]


def test_a_check_is_skipped_and_arguments_are_refused():
    with active(lambda patch: patch.skip(_Fetch._check)):
        assert deliver(OTHER, 0).error
    with (
        active(lambda patch: patch.refuse(model.sequence_of, when=lambda base_sequence, offset_delta: True)),
        pytest.raises(ValueError, match=r"^$"),
    ):
        records.decode(BATCH)


def test_a_constant_changes_where_it_came_from_and_no_other_of_the_same_value():
    assert model.TRANSACTIONAL_BIT == entries.MAGIC_AT
    with active(lambda patch: patch.constant(model, "TRANSACTIONAL_BIT", 0)):
        assert decoding.TRANSACTIONAL_BIT == 0
        assert entries.MAGIC_AT == 16
    assert decoding.TRANSACTIONAL_BIT == 16


def test_a_rule_that_is_allowed_is_not_checked():
    rule = "v2.crc.covers-attributes-to-end"
    with active(lambda patch: patch.allow(rule)):
        assert records.decode(OTHER) == records.decode(BATCH)
    with pytest.raises(ValueError, match=rule):
        records.decode(OTHER)


def test_layouts_forms_and_enumerations_change_also_inside_of_others():
    def wrong(patch):
        patch.field("record_batch", "partition_leader_epoch", type=INTEGERS["uint32"])
        patch.form("varint_string", content="bytes")
        patch.enum("codec", {0: "none"})
        patch.layout("header", lambda header: header)

    value = structure("record_batch").decode(BATCH)
    with active(wrong):
        changed = kafka_format.structure("record_batch").decode(BATCH)
        assert changed.partition_leader_epoch == (1 << 32) - 1
        assert prefixes.prefix("record_batch").read(BATCH).partition_leader_epoch == (1 << 32) - 1
        item = layout.find("record_batch").field("records").type.item
        assert item.layout.field("headers").type.item.layout.field("key").type.content == "bytes"
        assert layout.find("record_batch").field("records").compressed_by.bits.enum.values == {0: "none"}
    assert structure("record_batch").decode(BATCH) == value
    assert layout.specification().enums["codec"].values[4] == "zstd"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda _: None, "changes nothing"),
        (lambda patch: patch.skip(test_a_method_is_replaced), "test_a_method_is_replaced does not stand"),
        (lambda patch: patch.replace(lambda: 1, lambda: 2), "does not stand under that name in the reference"),
        (lambda patch: patch.constant(model, "CONTROL_BITS", 0), "has no CONTROL_BITS.*`CONTROL_BIT`"),
        (lambda patch: patch.allow("v2.crc"), "there is no rule `v2.crc`"),
        (lambda patch: patch.skip(legacy._gone), "what is not there: .*legacy' has no attribute '_gone'"),
        (lambda patch: patch.field("record_batch", "gone", minimum=1), "record_batch has no field `gone`"),
    ],
)
def test_a_patch_that_does_not_fit_says_so(change, error):
    with pytest.raises(UsageError, match=f"^toy/mutant.*{error}"), active(change, "toy/mutant"):
        pass


def test_the_right_reference_is_back_after_an_exception():
    def fail():
        with active(lambda patch: patch.replace(integers.int64, lambda number: number)):
            raise ZeroDivisionError

    before = {name: dict(vars(module)) for name, module in sys.modules.items() if name.startswith("kafka_format")}
    with pytest.raises(ZeroDivisionError):
        fail()
    assert all(vars(sys.modules[name]) == kept for name, kept in before.items())


def test_nothing_wrong_stays_in_a_cache():
    prefixes.prefix.cache_clear()
    with active(lambda patch: patch.replace(prefixes.Prefix.read, lambda self, data, start=0: 1)):
        assert prefixes.prefix("record_batch").read(BATCH) == 1
        assert prefixes.prefix.cache_info().currsize == 1
    assert prefixes.prefix.cache_info().currsize == 0


def test_records_are_read_and_written_with_care_where_changes_reach_them():
    record = Record(7, 1000, value=b"a")
    with active(lambda patch: patch.replace(integers.int64, lambda number: 9)):
        assert records.decode(records.encode([record]))[0].offset == 9


def test_a_change_holds_only_while_a_function_runs():
    def change(patch):
        patch.within(records.decode, lambda inner: inner.replace(integers.int64, lambda number: 9))

    before = integers.int64(1 << 64 | 5)
    with active(change):
        assert records.decode(records.encode([Record(7, 1000, value=b"a")]))[0].offset == 9
        assert integers.int64(1 << 64 | 5) == before


def test_a_change_within_a_generator_is_refused():
    with pytest.raises(UsageError, match="batches is a generator"), active(lambda patch: patch.within(batches, repr)):
        pass
