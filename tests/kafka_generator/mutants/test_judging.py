"""A fault is killed by what its wrong reference gives, never because it does not run."""

import importlib

import pytest
from kafka_conformance.errors import UsageError
from kafka_format import records, structure
from kafka_generator.mutants.declared import Fault
from kafka_generator.mutants.judging import first_kill, kills
from kafka_generator.mutants.putting import Question
from kafka_generator.mutants.source import Edit

OLD = "int64(base_offset + offset_delta)"
BATCH = structure("record_batch").encode({"base_offset": 7, "records": [{"value": b"a"}]})


def decoded(_flags):
    return importlib.import_module("kafka_format.records").decode(BATCH)


QUESTION = Question("toy", len(BATCH), decoded, lambda got: got != records.decode(BATCH))


def fault(new: str) -> Fault:
    edit = Edit("records/decoding.py", OLD, new)
    return Fault("toy/fault", "Does something wrong.", "decode", "toy", ("mutation",), (edit,))


def test_a_wrong_answer_and_an_exception_kill():
    for new in ("offset_delta", "1 // 0"):
        assert kills(fault(new), [QUESTION]) == ["toy"]
        assert first_kill(fault(new), [QUESTION]) == "toy"


@pytest.mark.parametrize("new", ["no_such_name", "a b"])
def test_an_edit_that_does_not_run_kills_nothing(new):
    for ask in (kills, first_kill):
        with pytest.raises(UsageError, match="toy/fault do not run"):
            ask(fault(new), [QUESTION])
