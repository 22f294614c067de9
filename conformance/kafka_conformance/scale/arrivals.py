"""Rows as they come from Spark: counted at once, written to the run's folder now and then."""

from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

from kafka_tools.spark.progress import Watcher
from kafka_tools.system import resources

from kafka_conformance.scale.plan import Chunk
from kafka_conformance.scale.results.counts import Counts
from kafka_conformance.scale.results.rows import Done
from kafka_conformance.scale.results.run_folder import RunFolder
from kafka_conformance.scale.results.summary import Timing
from kafka_conformance.scale.work import ChunkRows

WRITE_SECONDS = 5.0
"""Rows are written this often: what an interruption costs at most, on top of the tasks that had not
ended."""


class Arrivals:
    """The rows that have arrived: counts them, and writes them to the folder every few seconds."""

    def __init__(self, folder: RunFolder, counts: Counts, watcher: Watcher) -> None:
        """Begin with no row; `counts` may hold those of an earlier command."""
        self._folder = folder
        self._counts = counts
        self._watcher = watcher
        self._waiting: list[ChunkRows] = []
        self._written = monotonic()
        self._spent = Timing()

    def begin(self, batches: int, todo: int) -> None:
        """Tell the watcher that `todo` of all the batches are still to be checked."""
        self._watcher.began(batches, batches - todo)

    def remaining(self) -> Sequence[Chunk]:
        """The chunks without rows."""
        return self._counts.remaining()

    def rate(self) -> float:
        """Batches a second of one worker; 0 before the first rows arrive."""
        return self._spent.batches / self._spent.busy_seconds if self._spent.busy_seconds else 0.0

    def keep(self, arrived: Sequence[ChunkRows]) -> None:
        """Count rows, and write them if the last write was some seconds ago.

        Raises:
            UsageError: they cannot be written.
        """
        for rows in arrived:
            self._waiting.append(rows)
            self._spent = _with(self._spent, rows.done)
            for row in rows.done:
                self._counts.add(row)
        if arrived:
            batches = sum(rows.done[0].count for rows in arrived)
            self._watcher.advance(batches, sum(row.findings for rows in arrived for row in rows.done))
        if monotonic() - self._written > WRITE_SECONDS:
            self.write()

    def write(self) -> None:
        """Write the rows that are only counted so far.

        Raises:
            UsageError: they cannot be written.
        """
        waiting, self._waiting = self._waiting, []
        if waiting:
            done = [row for rows in waiting for row in rows.done]
            self._folder.write(done, [finding for rows in waiting for finding in rows.findings])
            self._written = monotonic()

    def timing(self, cores: int, start_seconds: float, seconds: float) -> Timing:
        """Return the cost of the rows of this command, with the times of Spark itself."""
        return replace(
            self._spent,
            cores=cores,
            start_seconds=start_seconds,
            seconds=seconds,
            driver_memory=resources.own_peak_bytes(),
        )


def _with(spent: Timing, done: Sequence[Done]) -> Timing:
    """Add the cost of a chunk.

    What its targets share (generation, processor time) is in the row of each.
    """
    chunk = done[0]
    return replace(
        spent,
        batches=spent.batches + chunk.count,
        busy_seconds=spent.busy_seconds + chunk.generation_seconds + sum(row.seconds for row in done),
        generation_seconds=spent.generation_seconds + chunk.generation_seconds,
        cpu_seconds=spent.cpu_seconds + chunk.cpu_seconds,
        worker_memory=max(spent.worker_memory, chunk.memory),
    )
