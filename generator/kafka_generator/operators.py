"""docs/operators.md: its commands are run on directories of real brokers, and their output put in.

`python -m kafka_generator.operators` does so; a test sees that the page is what it would write.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from click.testing import CliRunner
from kafka_format.codec.prefix import prefix
from kafka_format.log.batches import batches
from kafka_tools.cli import group

from kafka_generator.log_vectors import archives
from kafka_generator.log_vectors.damages import DAMAGES

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "operators.md"
_DIRECTORIES: Final = ROOT / "tests" / "kafka_format" / "log" / "directories"
_PROMPT: Final = "    $ kafka-format "
_INDENT: Final = "    "
_BATCH: Final = prefix("record_batch")
_CUT: Final = 40

Change = Callable[[Path], object]


def _damage(damage: str) -> Change:
    return lambda data: DAMAGES[damage](data / "orders-0")


def _unstartable(data: Path) -> None:
    """What a power loss leaves of files that were not on the disk yet."""
    (data / "orders-0" / "partition.metadata").write_bytes(b"")
    (data / "replication-offset-checkpoint").write_bytes(bytes(104))


def _pad(data: Path) -> None:
    """What a time index looks like that was not trimmed (KAFKA-10207, KAFKA-20979)."""
    path = data / "orders-0" / f"{0:020}.timeindex"
    path.write_bytes(path.read_bytes() + bytes(120))


def _without_transaction_index(data: Path) -> None:
    (data / "payments-0" / f"{2:020}.txnindex").unlink()


def _other_leader(data: Path) -> None:
    """The last three batches are of another leader, who had not seen those of the first one."""
    path = data / "orders-0" / f"{79:020}.log"
    content = bytearray(path.read_bytes())
    last = list(batches(bytes(content)))[-3:]
    for batch in last:
        _BATCH.write(content, batch.position, partition_leader_epoch=1, base_timestamp=1_700_000_099_000)
        _BATCH.seal(content, batch.position, batch.end)
    path.write_bytes(content)
    (data / "orders-0" / "leader-epoch-checkpoint").write_text(f"0\n2\n0 7\n1 {last[0].base_offset}\n", "utf-8")


def _stray(data: Path) -> None:
    """What stays when a topic is removed while a broker is away."""
    folder = data / "clicks-0.6b61666b612d666f726d61742d636f6e-stray"
    folder.mkdir()
    (folder / f"{0:020}.log").write_bytes(b"")
    (folder / "partition.metadata").write_text("version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg", "utf-8")


def _without_snapshot(data: Path) -> None:
    """A log whose first part went, and the snapshot that stood for it was not copied."""
    folder = data / "__cluster_metadata-0"
    old = folder / f"{0:020}.log"
    left = [batch for batch in batches(old.read_bytes()) if batch.offset >= _CUT]
    (folder / f"{left[0].offset:020}.log").write_bytes(b"".join(batch.data for batch in left))
    for path in folder.glob(f"{0:020}.*"):
        path.unlink()


SCENES: Final[dict[str, tuple[str, Change]]] = {
    "data": ("kafka-4.4.0-stopped", lambda _: None),
    "killed": ("kafka-4.4.0-killed", lambda _: None),
    "old": ("kafka-3.9.2-stopped", lambda _: None),
    "crashed": ("kafka-4.4.0-killed", _damage("payload-bit-in-last-segment")),
    "torn": ("kafka-4.4.0-stopped", _damage("last-batch-cut")),
    "unstartable": ("kafka-4.4.0-stopped", _unstartable),
    "padded": ("kafka-4.4.0-stopped", _pad),
    "unindexed": ("kafka-4.4.0-stopped", _without_transaction_index),
    "rotten": ("kafka-4.4.0-stopped", _damage("payload-bit-in-first-segment")),
    "broker2": ("kafka-4.4.0-stopped", _other_leader),
    "left": ("kafka-4.4.0-stopped", _stray),
    "cut": ("kafka-4.4.0-stopped", _without_snapshot),
}
"""The data directories of the page: which packed one each is, and what was done to it."""


def unpack(folder: Path) -> None:
    """Write the data directories of the page below a folder."""
    unpacked: dict[str, Path] = {}
    for name, (archive, change) in SCENES.items():
        if archive not in unpacked:
            unpacked[archive] = archives.unpack(_DIRECTORIES / f"{archive}.zip", folder / name)
        else:
            shutil.copytree(unpacked[archive], folder / name)
        change(folder / name)


def rewrite(page: str, folder: Path) -> str:
    """Return the page with the present output of its commands.

    Args:
        page: its text; a command is an indented line that begins with `$`, and what it prints
            follows, indented too.
        folder: where the commands are run.
    """
    with chdir(folder):
        return "".join(f"{line}\n" for line in _lines(page.splitlines()))


def _lines(page: list[str]) -> Iterator[str]:
    is_output = False
    for line in page:
        if line.startswith(_PROMPT):
            is_output = True
            yield line
            yield from (f"{_INDENT}{said}".rstrip() for said in _answers(line.removeprefix(_PROMPT)))
        elif not (is_output and line.startswith(_INDENT)):
            is_output = False
            yield line


def _answers(command: str) -> list[str]:
    result = CliRunner().invoke(group, command.split(), standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit | click.ClickException):
        raise result.exception
    return result.output.splitlines()


def main() -> int:
    """Run the commands of docs/operators.md and write the page with their output."""
    with TemporaryDirectory() as folder:
        unpack(Path(folder))
        PAGE.write_text(rewrite(PAGE.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    argparse.ArgumentParser(prog="python -m kafka_generator.operators", description=__doc__).parse_args()
    sys.exit(main())
