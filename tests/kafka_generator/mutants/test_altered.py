"""A wrong reference beside the right one: what is changed is wrong, and nothing of it stays."""

import importlib
import sys
from dataclasses import replace

import pytest
from kafka_conformance.errors import UsageError
from kafka_format import records, structure
from kafka_format.spec.layout import specification
from kafka_generator.mutants.altered import altered
from kafka_generator.mutants.declared import allowing
from kafka_generator.mutants.source import ROOT, Edit, apply, dependents, imports

OFFSET = Edit("records/decoding.py", "int64(base_offset + offset_delta)", "offset_delta")
NAME = Edit("spec/layouts/batch/record_batch.yaml", "partition_leader_epoch, type", "epoch_of_leader, type")
LONG = structure("record").encode({"value": bytes(200)})
BATCH = structure("record_batch").encode({"base_offset": 7, "records": [{"value": b"a"}]})


def active():
    return importlib.import_module("kafka_format.records")


def test_an_edit_of_the_source_changes_what_is_imported_and_nothing_else():
    with altered([OFFSET]):
        assert [record.offset for record in active().decode(BATCH)] == [0]
        assert [record.offset for record in records.decode(BATCH)] == [7]
    assert active() is records


def test_an_edit_of_the_specification_is_compiled():
    with altered([NAME]):
        batch = importlib.import_module("kafka_format").structure("record_batch").decode(BATCH)
        assert batch.epoch_of_leader == -1
    assert structure("record_batch").decode(BATCH).partition_leader_epoch == -1


def test_a_rule_that_is_allowed_is_not_checked():
    broken = BATCH[:17] + bytes(4) + BATCH[21:]
    rule = "v2.crc.covers-attributes-to-end"
    with altered([allowing([rule])]):
        assert active().decode(broken)
    with pytest.raises(ValueError, match=rule):
        records.decode(broken)


def _fail_while_altered():
    with altered([OFFSET]):
        active().decode(BATCH)
        raise ZeroDivisionError


def test_a_fault_of_the_readers_takes_effect_in_whole_structures_and_inside_others():
    size = "        group = data[at]\n"
    with altered([Edit("primitives/numbers.py", size, size.replace("data[at]", "data[at] & 0x7F"))]):
        changed = importlib.import_module("kafka_format").structure
        with pytest.raises(ValueError, match=r"v2\."):
            changed("record").decode(LONG)
        with pytest.raises(ValueError, match=r"v2\."):
            changed("record").read(LONG, 0, len(LONG))
    assert structure("record").decode(LONG).value == bytes(200)


def test_a_fault_of_the_writer_takes_effect():
    record = records.Record(7, 1000)
    with altered([Edit("records/encoding.py", "first.offset, None, -1, 2, None", "9, None, -1, 2, None")]):
        assert active().decode(active().encode([active().Record(*record)])) == [record._replace(offset=9)]
    assert records.decode(records.encode([record])) == [record]


def test_the_right_reference_is_back_after_an_exception():
    before = {name: module for name, module in sys.modules.items() if name.startswith("kafka_format")}
    with pytest.raises(ZeroDivisionError):
        _fail_while_altered()
    after = {name: module for name, module in sys.modules.items() if name.startswith("kafka_format")}
    assert all(after[name] is module for name, module in before.items())
    assert importlib.import_module("kafka_format").records is records


def test_a_specification_of_its_own_is_used():
    right = specification()
    record = right.layouts["record_batch"]
    fields = tuple(replace(field, minimum=None) for field in record.fields)
    changed = replace(right, layouts={**right.layouts, "record_batch": replace(record, fields=fields)})
    with altered([], changed):
        layout = importlib.import_module("kafka_format.spec.layout").find("record_batch")
        assert layout.field("batch_length").minimum is None


@pytest.mark.parametrize("old", ["no such text", "import"])
def test_an_edit_that_does_not_fit_says_where(old):
    with pytest.raises(UsageError, match=r"entries\.py has '.*' \d+ times, not once"):
        apply([Edit("records/entries.py", old, "")], ROOT)


def test_modules_that_import_an_edited_one_are_imported_anew_and_no_others():
    assert "kafka_format.records.entries" in imports()["kafka_format.records.legacy"]
    assert "kafka_format.broker.consumer" in dependents(["kafka_format.records.entries"])
    assert "kafka_format.spec.layout.loader" not in dependents(["kafka_format.records.entries"])
