"""Draws what records of all formats have: offset, key, value and headers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np

from kafka_format.columnar.arrays import Flags, Ints, RowGroups, Words
from kafka_format.primitives.integers import INT64_MAX
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.contents import Contents, marker_keys, marker_values, noise_and_texture, text
from kafka_format.sampler.hashing import draw, member_keys, mix
from kafka_format.sampler.numbers import one_in, pick, whole
from kafka_format.sampler.profiles import MODEST, Sizes

LAST_OFFSET: Final = INT64_MAX - 1
"""The greatest offset: the one after it is where a consumer goes on, and must still be an int64."""

DELTAS: Final = 1 << 31
"""The number of offsets that a batch can span: its deltas are int32."""

_FEW_HEADERS: Final = 3


class Shape(NamedTuple):
    """Properties of whole batches.

    Attributes:
        counts: records of each.
        compacted: the log cleaner has been at it, so its offsets have gaps.
        marked: it is a transaction marker, one record without headers.
    """

    counts: Ints
    compacted: Flags
    marked: Flags


class Records(NamedTuple):
    """The records of batches.

    Attributes:
        groups: whose they are.
        keys: what their fields are drawn from.
        deltas: offset minus that of the first possible record of the batch, growing from 0 or more.
        key: of each.
        value: of each.
        headers: whose the headers are.
        header_key: of each header.
        header_value: of each header.
    """

    groups: RowGroups
    keys: Words
    deltas: Ints
    key: Contents
    value: Contents
    headers: RowGroups
    header_key: Contents
    header_value: Contents

    def with_contents(self, contents: Iterable[Contents]) -> Records:
        """Return the records with contents copied into one buffer, in order.

        To read them again then takes half as long.
        """
        key, value, header_key, header_value = contents
        return self._replace(key=key, value=value, header_key=header_key, header_value=header_value)

    def answers(self, numbers: Mapping[str, Ints]) -> Answers:
        """Return what a decoder must answer, given the fields that are numbers."""
        contents = (self.key, self.value, self.headers, self.header_key, self.header_value)
        return Answers(self.groups, numbers, *contents)


class _Lengths(NamedTuple):
    """Bytes of contents, -1 for null: each record's key and value, each header's key and value."""

    key: Ints
    value: Ints
    header_key: Ints
    header_value: Ints


def draw_records(keys: Words, sizes: Sizes, shape: Shape) -> Records:
    """Draw the records of the batches that have these keys."""
    groups = RowGroups(shape.counts)
    mine = member_keys(groups.each(keys), groups.places)
    (markers,) = groups.each(shape.marked).nonzero()
    headers = RowGroups(_header_counts(draw(mine, "record.header_count"), sizes, groups, markers))
    theirs = member_keys(headers.each(mine), headers.places)
    lengths = _fitting(_draw_lengths(mine, theirs, sizes), groups, headers, sizes.room)
    key, value = draw(mine, "record.key"), draw(mine, "record.value")
    return Records(
        groups=groups,
        keys=mine,
        deltas=_deltas(draw(mine, "record.offset_delta"), groups, groups.each(shape.compacted)),
        key=_put_in_place(noise_and_texture(key, lengths.key), markers, marker_keys(key.take(markers))),
        value=_put_in_place(noise_and_texture(value, lengths.value), markers, marker_values(value.take(markers))),
        headers=headers,
        header_key=text(draw(theirs, "header.key"), lengths.header_key),
        header_value=noise_and_texture(draw(theirs, "header.value"), lengths.header_value),
    )


def _put_in_place(contents: Contents, rows: Ints, others: Contents) -> Contents:
    """Put others in the place of some contents, which are all of one source."""
    contents.starts[rows], contents.lengths[rows] = others.starts, others.lengths
    return contents


def _header_counts(words: Words, sizes: Sizes, groups: RowGroups, markers: Ints) -> Ints:
    """Pick header counts: fewer for batches of many records, none for markers."""
    most = np.maximum(int(sizes.headers.max()) // np.maximum(groups.counts, 1), _FEW_HEADERS)
    counts: Ints = np.minimum(pick(words, sizes.headers), groups.each(most))
    counts[markers] = 0
    return counts


def _draw_lengths(mine: Words, theirs: Words, sizes: Sizes) -> _Lengths:
    return _Lengths(
        key=pick(draw(mine, "record.key.length"), sizes.key),
        value=pick(draw(mine, "record.value.length"), sizes.value),
        header_key=pick(draw(theirs, "header.key.length"), sizes.header_key),
        header_value=pick(draw(theirs, "header.value.length"), sizes.header_value),
    )


def _fitting(lengths: _Lengths, groups: RowGroups, headers: RowGroups, room: int) -> _Lengths:
    """Bound the lengths in batches whose contents would take more than their room."""
    in_headers = headers.sums(lengths.header_key + np.maximum(lengths.header_value, 0))
    crowded = groups.sums(np.maximum(lengths.key, 0) + np.maximum(lengths.value, 0) + in_headers) > room
    mine = groups.each(crowded)
    theirs = headers.each(mine)
    for column, rows in zip(lengths, (mine, mine, theirs, theirs), strict=True):
        np.minimum(column, MODEST, out=column, where=rows)
    return lengths


def _deltas(words: Words, groups: RowGroups, compacted: Flags) -> Ints:
    """Draw offset deltas 0, 1, 2 and so on.

    Half of the records in compacted batches follow a gap.
    """
    steps = np.ones(words.size, np.int64)
    (here,) = compacted.nonzero()
    here = here[one_in(mix(words.take(here)), 2)]
    widest = groups.each(DELTAS // np.maximum(groups.counts, 1))
    steps[here] = np.minimum(whole(words.take(here), 31) + 1, widest.take(here))
    return groups.running(steps) - 1
