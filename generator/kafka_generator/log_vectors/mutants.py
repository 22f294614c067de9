"""Readers of log directories that are wrong on purpose: each must differ from some vector.

A mutant is a function of the reference with one piece of its program changed. The piece is looked
for in the program as `ast.unparse` writes it, so no formatting of the reference loses it. `python
-m kafka_generator.log_vectors.mutants` finds for each the first vector that shows it, and stores
that.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.errors import UsageError
from kafka_conformance.log_readers import reference_results
from kafka_format.log import (
    batches,
    index_search,
    indexes,
    names,
    offset_lookup,
    partition,
    producer_states,
    recovery,
    segment,
    time_lookup,
    transaction_index,
)
from kafka_format.log.text import checkpoints
from kafka_format.log.verification import gaps as verify_gaps
from kafka_format.log.verification import indexes as verify_indexes
from kafka_format.log.verification import partition as verify_partition
from kafka_format.log.verification import producers as verify_producers
from kafka_format.log.verification import segments as verify_segments
from kafka_format.log.verification import topics as verify_topics

from kafka_generator.log_vectors import agreement, files
from kafka_generator.mutants.reference import place_of, reference_modules

FILE: Final = "kills.json"
VECTORS: Final = Path(__file__).parents[3] / "vectors"


class LogMutant(NamedTuple):
    """A function of the reference, a piece of its program that is right, and one that is wrong."""

    id: str
    function: Callable[..., Any]
    right: str
    wrong: str


_S, _R, _P = segment.Segment, recovery, producer_states.ProducerStates
_B = recovery._Rebuilt

MUTANTS: Final = (
    LogMutant("batches/rest-of-18-bytes", batches.batches, "limit - MAGIC_AT - 1", "limit - MAGIC_AT - 2"),
    LogMutant("batches/cut-batch-counts", batches.batches, "position > limit - OVERHEAD - head", "position > limit + 4096 - head"),
    LogMutant("batches/small-size-ends", batches.batches, 'raise _framing("entry', 'return\n            raise _framing("entry'),
    LogMutant("search/empty-is-first", index_search.search, "return IndexSearch(-1, ())", "return IndexSearch(0, ())"),
    LogMutant("lookup/last-offset-exclusive", offset_lookup._by_base, "last_offset >= target", "last_offset > target"),
    LogMutant("lookup/no-batch-before", offset_lookup._by_base, "return seen[-1]", "return batch"),
    LogMutant("lookup/negative-position", offset_lookup.scan_segment, "max(lookup.entry.position, 0)", "lookup.entry.position"),
    LogMutant("lookup/end-is-out-of-range", offset_lookup.find_offset, "target > end", "target >= end"),
    LogMutant("lookup/below-start", offset_lookup.find_offset, "target < start", "target < log.segments[0].base_offset"),
    LogMutant("lookup/one-segment", offset_lookup.find_offset, "segment = log.after(segment)", "segment = None"),
    LogMutant("lookup/floor-exclusive", partition.PartitionLog.floor, "<= offset", "< offset"),
    LogMutant("lookup/end-from-the-first-entry", _S.next_offset, "self.offset_index.last_offset", "self.base_offset"),
    LogMutant("times/largest-exclusive", time_lookup.find_time, ">= target", "> target"),
    LogMutant("times/goes-on", time_lookup.scan_segment, "return TimeScan(segment, time, offset, tuple(passed), None, None)", "return TimeScan(segment, time, offset, tuple(passed), None, Moment(0, 0, 0))"),
    LogMutant("times/record-exclusive", time_lookup._first, "record.timestamp >= target", "record.timestamp > target"),
    LogMutant("times/start-ignored", time_lookup._first, "and record.offset >= start_offset", ""),
    LogMutant("times/no-epoch", time_lookup._first, "batch.leader_epoch", "-1"),
    LogMutant("times/checksum-matters", time_lookup._first, "unchecked_records", "records"),
    LogMutant("index/relative-is-absolute", indexes.OffsetIndex._entry, "self.base_offset + relative", "relative"),
    LogMutant("timeindex/relative-is-absolute", indexes.TimeIndex._entry, "self.base_offset + relative", "relative"),
    LogMutant("recovery/goes-on-behind-a-fault", _R.recover, "lost = not segment.is_unsound and found[-1].lost_bytes > 0", "lost = False"),
    LogMutant("recovery/checksum-unread", _R._recover, "batch.check()", "pass"),
    LogMutant("recovery/first-batch-indexed", _B.add, "if self.valid_bytes - self._indexed > self._interval", "if not self.valid_bytes or self.valid_bytes - self._indexed > self._interval"),
    LogMutant("recovery/interval-reached", _B.add, "> self._interval", ">= self._interval + 100"),
    LogMutant("recovery/first-offset-indexed", _B.add, "OffsetEntry(batch.last_offset", "OffsetEntry(batch.base_offset"),
    LogMutant("recovery/position-behind", _B.add, "OffsetEntry(batch.last_offset, self.valid_bytes)", "OffsetEntry(batch.last_offset, self.valid_bytes + batch.size)"),
    LogMutant("recovery/first-offset-of-time", _B.add, "TimeEntry(batch.max_timestamp, batch.last_offset)", "TimeEntry(batch.max_timestamp, batch.base_offset)"),
    LogMutant("recovery/equal-times-again", _B.add_time, "self._largest.timestamp > ", "self._largest.timestamp >= "),
    LogMutant("recovery/no-closing-time", _R._recover, "    rebuilt.add_time()\n", ""),
    LogMutant("recovery/repeats-are-kept", _B.add, "return Fate.EMPTIED", "pass"),
    LogMutant("recovery/below-base-is-kept", _B.add, "if not 0 <= batch.last_offset - self._base <= INT32_MAX", "if batch.last_offset - self._base > INT32_MAX"),
    LogMutant("recovery/far-is-kept", _B.add, "<= INT32_MAX", "<= INT32_MAX + 1"),
    LogMutant("recovery/largest-offset-is-far", _B.add, "<= INT32_MAX", "< INT32_MAX"),
    LogMutant("recovery/epochs-unassigned", _R._recover, "epochs.append", "list().append"),
    LogMutant("recovery/epochs-beyond-the-end", _R._cut, "if row.start_offset < end", ""),
    LogMutant("recovery/epochs-before-the-start", _R._cut, "EpochRow(row.epoch, start)", "row"),
    LogMutant("producers/own-transactions-count", _P._end_transaction, "if producer != batch.producer_id", ""),
    LogMutant("producers/stable-is-the-marker", _P._end_transaction, "default=batch.base_offset + 1", "default=batch.base_offset"),
    LogMutant("producers/commits-abort", _P._end_transaction, 'if marker.type == "abort"', "if True"),
    LogMutant("producers/first-is-the-last", _P._add_data, "if first < 0 and", "if"),
    LogMutant("txnindex/from-the-marker", transaction_index.encode, "entry._asdict()", "{**entry._asdict(), 'first_offset': entry.last_offset}"),
    LogMutant("txnindex/half-an-entry", transaction_index.aborted_transactions, "- _ABORTED.size + 1", ""),
    LogMutant("partition/reads-any-width", partition.PartitionLog.__init__, "if any_width else", "if True else"),
    LogMutant("verify/made-segments-have-indexes", verify_partition._orphans, "if not segment.is_made", ""),
    LogMutant("names/sign", names._offset, "or not number.isdigit()", ""),
    LogMutant("names/any-width", names._offset, "len(number) != DIGITS or ", ""),
    LogMutant("names/too-large", names._offset, "or abs(int(number)) > INT64_MAX", ""),
    LogMutant("names/first-hyphen", names.parse_partition, 'match["topic"]', 'match["topic"].split("-")[0]'),
    LogMutant("checkpoints/count-unread", checkpoints._decode, "len(rows) != count", "len(rows) < count"),
    LogMutant("checkpoints/more-rows", checkpoints._decode, "len(rows) != count", "len(rows) > count"),
    LogMutant("checkpoints/version-unread", checkpoints._decode, "version != VERSION", "version is None"),
    LogMutant("checkpoints/version-alone", checkpoints._decode, "len(lines) == 1", "len(lines) == 0"),
    LogMutant("checkpoints/epochs-of-64-bits", checkpoints._epoch_row, "_number(line, epoch, 32", "_number(line, epoch, 64"),
    LogMutant("checkpoints/offsets-of-32-bits", checkpoints._offset_row, "_number(line, offset, 64", "_number(line, offset, 32"),
    LogMutant("verify/covers-exclusive", verify_indexes._offsets, "highest_before[at] >= offset", "highest_before[at] > offset + 1"),
    LogMutant("verify/index-is-exact", verify_indexes._offsets, "highest_before[at] >= offset", "scan.batches[at].last_offset != offset"),
    LogMutant("verify/last-segment-trimmed", verify_indexes._by_itself, "if index.zeros and (not is_last)", "if index.zeros"),
    LogMutant("verify/holes-are-broken", verify_segments._order, "batch.base_offset <= last", "batch.base_offset != last + 1"),
    LogMutant("verify/joins-must-touch", verify_segments.overlaps, "base <= last", "base != last + 1"),
    LogMutant("verify/gaps-of-the-cleaner", verify_gaps.is_never_cleaned, "return log.checkpoint(checkpoints.CLEANER_FILE) is None", "return True"),
    LogMutant("verify/gaps-of-the-leader", verify_gaps.verify, "or any((_has_holes(segment) for segment in log.segments))", ""),
    LogMutant("verify/gaps-behind-a-cut", verify_gaps.verify, "if _is_whole(before)", "if True"),
    LogMutant("verify/gap-of-no-offset", verify_gaps._gaps, "segment.base_offset > end", "segment.base_offset >= end"),
    LogMutant("verify/removed-topic-counts", verify_topics._verify, "if number != expected", "if expected and number != expected"),
    LogMutant("verify/no-id-is-any", verify_topics._verify, "if not path.exists()", "if False"),
    LogMutant("verify/range-exclusive", verify_segments._order, "> INT32_MAX", ">= INT32_MAX"),
    LogMutant("verify/epochs-unread", verify_segments._order, "0 <= batch.leader_epoch < epoch", "batch.leader_epoch < -1"),
    LogMutant("verify/late-row", verify_partition._epochs, "start > offset and (not is_first)", "False"),
    LogMutant("verify/stable-unread", verify_producers._check_aborted, "elif other.last_stable_offset != entry.last_stable_offset", "elif False"),
    LogMutant("verify/too-much", verify_producers._check_aborted, "sorted(set(by_marker) - markers)", "()"),
)  # fmt: skip


@contextmanager
def active(mutant: LogMutant) -> Iterator[None]:
    """Make the reference wrong while this lasts.

    Raises:
        UsageError: the function has not the text, or more than once.
    """
    source = ast.unparse(ast.parse(textwrap.dedent(inspect.getsource(mutant.function))))
    right, wrong_text = (text.replace('"', "'") for text in (mutant.right, mutant.wrong))
    if source.count(right) != 1:
        message = f"{mutant.id}: the text is {source.count(right)} times in {mutant.function.__qualname__}."
        raise UsageError(message, "Mend the mutant.")
    owner, name = place_of(mutant.function)
    module = sys.modules[mutant.function.__module__]
    scope: dict[str, Any] = {}
    text = source.replace(right, wrong_text)
    code = compile(text, mutant.id, "exec", flags=__future__.annotations.compiler_flag)
    exec(code, vars(module), scope)  # noqa: S102 - a text of our own
    wrong, users = scope[name], [owner]
    if not isinstance(owner, type):
        users = [user for user in (*reference_modules(), reference_results) if vars(user).get(name) is mutant.function]
    for user in users:
        setattr(user, name, wrong)
    try:
        yield
    finally:
        for user in users:
            setattr(user, name, mutant.function)


def is_killed(mutant: LogMutant, vector: dict[str, Any]) -> bool:
    """Tell whether a vector shows that a mutant is wrong: it differs, or fails."""
    with active(mutant):
        try:
            return next(agreement.differences(vector), None) is not None
        except Exception:  # noqa: BLE001 - a wrong reader may fail in any way
            return True


def kills(vectors: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Return for each mutant the first vector that kills it; empty for none."""
    known = sorted(vectors, key=lambda vector: len(str(vector)))
    return {mutant.id: next((vector["id"] for vector in known if is_killed(mutant, vector)), "") for mutant in MUTANTS}


def main() -> int:
    """Find what kills each mutant, and store it; 1 if one lives."""
    folder = VECTORS / files.FOLDER
    table = kills([*files.read(folder / files.DIRECTORIES).values(), *files.read(folder / files.FILES).values()])
    (folder / FILE).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    alive = [mutant for mutant, vector in table.items() if not vector]
    sys.stderr.write("\n".join([f"{len(table) - len(alive)} of {len(table)} mutants killed", *alive, ""]))
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
