"""What is counted of a chunk, and which findings are kept."""

import numpy as np
import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import tally
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.results.rows import DETAIL_LENGTH, HEX_BYTES, symptom
from kafka_conformance.scale.tally import ChunkTally
from kafka_format.sampler import FAULTS

from tests.kafka_conformance.scale.miniature_batches import MiniatureBlock, columns_of, miniature_batches, settings


def tallied(results: dict[int, Result], batches: Batches | None = None) -> ChunkTally:
    found = ChunkTally(settings("t"), "t")
    found.add(batches or miniature_batches(300), Checked(results, set(), set()))
    return found


def test_rare_finding_is_kept_in_a_flood_of_another() -> None:
    results = {number: Result(str(number), "t", Outcome.REFUSED_VALID, detail="no") for number in range(300)}
    found = tallied({**results, 150: Result("150", "t", Outcome.CRASHED, detail="was killed")})
    assert [(finding.index, finding.outcome) for finding in found.findings][-1] == (150, "crashed")
    assert len(found.findings) == tally.KEPT_A_SYMPTOM + 1
    assert {row.outcome: row.batches for row in found.rows()} == {"refused-valid": 299, "crashed": 1}


def test_target_that_puts_something_new_into_every_error_fills_no_table() -> None:
    words = ["".join(chr(ord("a") + number // 17**place % 17) for place in range(3)) for number in range(300)]
    results = tallied({n: Result(str(n), "t", Outcome.REFUSED_VALID, detail=word) for n, word in enumerate(words)})
    assert len(results.findings) == tally.KEPT_A_CHUNK
    assert len(results.rows()) == tally.SYMPTOMS_A_CHUNK + 1
    assert sum(row.batches for row in results.rows()) == 300


def test_long_texts_and_batches_are_cut_in_what_is_kept() -> None:
    block = MiniatureBlock(b"x" * 10_000, np.array([0, 10_000]), columns_of([[]]))
    results = tallied({0: Result("0", "t", Outcome.CRASHED, detail="y" * 10_000)}, Batches(0, block))
    [finding] = results.findings
    assert (len(finding.hex), finding.size, len(finding.detail)) == (2 * HEX_BYTES, 10_000, DETAIL_LENGTH)


def test_skipped_batches_are_counted_with_their_fault_and_are_no_passes() -> None:
    found = ChunkTally(settings("t"), "t")
    found.add(miniature_batches(9, 12, 14, start=10, fault=FAULTS[1]), Checked({}, {2, 4}, {8}))
    counts = {(row.outcome, row.fault): (row.batches, row.first) for row in found.rows()}
    assert counts == {("passed", ""): (6, -1), ("skipped", FAULTS[1].name): (2, 12)}
    assert found.findings == []


@pytest.mark.parametrize(
    ("outcome", "text", "common"),
    [
        (Outcome.WRONG_ANSWER, "records[12].headers[0].key", "records[*].headers[*].key"),
        (Outcome.REFUSED_VALID, "Bad byte 0xfF at 17 of 'a\\b'", "Bad byte * at * of *"),
        (Outcome.REFUSED_VALID, "first line\nsecond", "first line"),
        (Outcome.PASSED, "whatever", ""),
        (Outcome.UNSUPPORTED, "whatever", ""),
    ],
)
def test_symptom_leaves_out_what_changes(outcome: Outcome, text: str, common: str) -> None:
    assert symptom(Result("1", "t", outcome, path=text, detail=text)) == common
