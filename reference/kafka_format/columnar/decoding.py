"""From bytes to columns: the functions that callers use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.columnar import entries
from kafka_format.columnar.arrays import Ints, RowGroups, bounds
from kafka_format.columnar.columns import Columns
from kafka_format.columnar.decoder import Decoder
from kafka_format.columnar.entries import Entries
from kafka_format.columnar.outcomes import Outcomes
from kafka_format.columnar.scalar import ReadSettings
from kafka_format.records.budget import DEFAULT_RECORDS
from kafka_format.spec.flags import check_flags


def decode(
    data: bytes,
    *,
    flags: frozenset[str] = frozenset(),
    check_crc: bool = True,
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Columns:
    """Read all records of a run of entries, as `records.decode` does.

    Args:
        data: the bytes; v0, v1 and v2 are told apart by the magic byte of each entry.
        flags: names of the leniencies that are allowed, as in spec/flags.yaml.
        check_crc: False for bytes whose checksums were compared before. Those of v0 and v1 are
            always compared.
        limit: bytes that all payloads together may decompress to.
        max_records: records that there may be.

    Raises:
        FormatError: the bytes break a rule, or are more than a limit allows: the error of
            `records.decode`.
        ValueError: there is no such flag.
    """
    outcomes = decode_within(
        data, [0], [len(data)], flags=flags, check_crc=check_crc, limit=limit, max_records=max_records
    )
    if outcomes.refusals:
        raise outcomes.refusals[0]
    return outcomes.columns


def decode_many(
    inputs: Sequence[bytes],
    *,
    flags: frozenset[str] = frozenset(),
    check_crc: bool = True,
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Outcomes:
    """Read many unrelated runs of entries; each is accepted or refused by itself.

    The arguments are those of `decode`; both limits hold for each input. All that the inputs hold
    is in memory at once.
    """
    places = bounds(np.array([len(data) for data in inputs], np.int64))
    return decode_within(
        b"".join(inputs),
        places[:-1],
        places[1:],
        flags=flags,
        check_crc=check_crc,
        limit=limit,
        max_records=max_records,
    )


def decode_within(
    data: bytes,
    starts: npt.ArrayLike,
    ends: npt.ArrayLike,
    *,
    flags: frozenset[str] = frozenset(),
    check_crc: bool = True,
    limit: int = DEFAULT_LIMIT,
    max_records: int = DEFAULT_RECORDS,
) -> Outcomes:
    """Do what `decode_many` does with inputs that are parts of one buffer.

    Args:
        data: the buffer.
        starts: first byte of each input.
        ends: byte after each; the next input does not start before it.
        flags: as for `decode`.
        check_crc: as for `decode`.
        limit: as for `decode`, of each input.
        max_records: as for `decode`, of each input.

    Raises:
        ValueError: an input does not lie in the buffer, or not after the one before it, or there
            is no such flag.
    """
    if flags:
        check_flags(flags)
    if type(data) is not bytes:
        data = bytes(data)
    first, last = np.asarray(starts, np.int64), np.asarray(ends, np.int64)
    _check_places(first, last, len(data))
    parts = entries.split(data, first, last, check_crc=check_crc)
    return Decoder(data, parts, ReadSettings(flags, check_crc, limit, max_records)).outcomes()


def decode_at(data: bytes, starts: Ints, end: int) -> Columns:
    """Read all records of record batches whose places are known, and their checksums compared.

    Args:
        data: the batches, one after the other; what stands behind them is not looked at.
        starts: first byte of each.
        end: the byte after the last one.

    Raises:
        FormatError: as `decode` does.
    """
    ends = np.append(starts[1:], end)
    batches = Entries(starts, ends, RowGroups(np.array([starts.size])), np.empty(0, np.int64))
    settings = ReadSettings(frozenset(), check_crc=False, limit=DEFAULT_LIMIT, max_records=DEFAULT_RECORDS)
    outcomes = Decoder(data, batches, settings).outcomes()
    if outcomes.refusals:
        raise outcomes.refusals[0]
    return outcomes.columns


def _check_places(starts: Ints, ends: Ints, size: int) -> None:
    places = np.concatenate([[0], np.stack([starts, ends], axis=1).ravel(), [size]])
    if (np.diff(places) < 0).any():
        wrong = int(np.flatnonzero(np.diff(places) < 0)[0] // 2)
        raise ValueError(f"the inputs must lie one after the other in {size} bytes; see input {wrong}")
