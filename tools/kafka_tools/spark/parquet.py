"""The Parquet files of a run. Their pages carry checksums, so a damaged file is always noticed."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafka_tools.errors import UsageError
from kafka_tools.spark import files

if TYPE_CHECKING:
    import pyarrow as pa

DONE, FINDINGS = "done", "findings"
"""The folders of a run that hold parts; those of one name belong together."""


_PART = re.compile(r"part-(\d+)\.parquet")


def part_name(number: int) -> str:
    """Return the name of a part."""
    return f"part-{number:05}.parquet"


def next_part(folder: Path) -> int:
    """Return the number of the next part of a run."""
    numbers = (int(match[1]) for part in folder.glob("*/*.parquet") if (match := _PART.fullmatch(part.name)))
    return 1 + max(numbers, default=-1)


def write(file: Path, table: "pa.Table") -> None:
    """Write a part, whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    from pyarrow import parquet  # noqa: PLC0415 - 0.2 s that only a run has to pay

    with files.whole(file) as draft:
        parquet.write_table(table, draft, compression="zstd", write_page_checksum=True)


def read(file: Path, schema: "pa.Schema", columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Read a part as rows with the names of their columns: all, or those that are named.

    Raises:
        UsageError: it cannot be read, or has not the columns that are due.
    """
    from pyarrow import parquet  # noqa: PLC0415 - 0.2 s that only a run has to pay

    with reading(file):
        # Not `read_table`: that looks for partitions in the names of the folders above.
        part = parquet.ParquetFile(file, page_checksum_verification=True)
        documents: list[dict[str, Any]] = part.read(columns).to_pylist()
    if not part.schema_arrow.equals(schema):
        raise UsageError(f"{file} has other columns than this version writes.", _advice_to_remove(file))
    return documents


def check_findings(part: Path, expected: int) -> None:
    """Check that a part of `done` has as many findings as it counts.

    Raises:
        UsageError: they do not.
    """
    from pyarrow import parquet  # noqa: PLC0415 - 0.2 s that only a run has to pay

    file = part.parents[1] / FINDINGS / part.name
    if not expected and not file.exists():
        return
    with reading(file):
        count = parquet.read_metadata(file).num_rows
    if count != expected:
        raise UsageError(f"{file} has {count} findings, but {part} counts {expected}.", _advice_to_remove(part))


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """Turn errors of reading a part into errors that name the file and say what to do.

    Raises:
        UsageError: something cannot.
    """
    import pyarrow as pa  # noqa: PLC0415 - 0.2 s that only a run has to pay

    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UsageError(f"cannot read {file}: {error}.", _advice_to_remove(file)) from None


def _advice_to_remove(file: Path) -> str:
    return f"Remove {file.parents[1] / DONE / file.name}, and go on with --resume: its chunks are done again."
