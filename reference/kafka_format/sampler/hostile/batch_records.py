"""Faults of the records in a batch (v2), in plain batches and inside compressed ones; checksums are right."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.primitives.integers import INT32_MAX, INT32_MIN
from kafka_format.primitives.numbers import VARINT, VARLONG, VarintKind, quick_varint, write_varint
from kafka_format.sampler.hostile.batches import SMALLEST_RECORD, Batch
from kafka_format.sampler.hostile.model import Dice, Faults, Made

FAULTS: Final = Faults[Batch]()


class Site(NamedTuple):
    """A varint: where it begins and ends, and what it says."""

    start: int
    end: int
    value: int
    kind: VarintKind = VARINT


class Place(NamedTuple):
    """A record in a payload.

    Attributes:
        length: its length.
        end: the byte behind it.
        deltas: its timestamp delta and its offset delta.
        key: the length of its key.
        value: the length of its value.
        header_count: how many headers it has.
        headers: the lengths of each header's key and value.
    """

    length: Site
    end: int
    deltas: tuple[Site, Site]
    key: Site
    value: Site
    header_count: Site
    headers: list[tuple[Site, Site]]


def _site(data: bytes, at: int, kind: VarintKind = VARINT) -> Site:
    value, end = quick_varint(data, at, kind)
    return Site(at, end, value, kind)


def _behind(site: Site) -> int:
    return site.end + max(site.value, 0)


def place_of(payload: bytes, index: int) -> Place:
    """Find the fields of a record."""
    at = 0
    for _ in range(index):
        at = _behind(_site(payload, at))
    length = _site(payload, at)
    timestamp = _site(payload, length.end + 1, VARLONG)
    offset = _site(payload, timestamp.end)
    key = _site(payload, offset.end)
    value = _site(payload, _behind(key))
    count = _site(payload, _behind(value))
    headers, at = [], count.end
    for _ in range(count.value):
        header_key = _site(payload, at)
        header_value = _site(payload, _behind(header_key))
        headers.append((header_key, header_value))
        at = _behind(header_value)
    return Place(length, at, (timestamp, offset), key, value, count, headers)


def _any(batch: Batch, dice: Dice) -> Place | None:
    return place_of(batch.payload, dice.below(batch.count)) if batch.count else None


def _with_length(batch: Batch, place: Place, number: int) -> bytes:
    """The batch with another record length, and nothing else."""
    site = place.length
    return batch.with_payload(batch.payload[: site.start] + write_varint(number) + batch.payload[site.end :])


def _with_site(batch: Batch, place: Place, site: Site, new: bytes) -> bytes:
    """The batch with other bytes for a varint; the length of the record is right."""
    payload, length = batch.payload, place.length
    if site is length:
        return batch.with_payload(payload[: site.start] + new + payload[site.end :])
    body = payload[length.end : site.start] + new + payload[site.end : place.end]
    return batch.with_payload(payload[: length.start] + write_varint(len(body)) + body + payload[place.end :])


def _contents(place: Place) -> list[Site]:
    return [place.key, place.value, *(site for header in place.headers for site in header)]


def _varint(place: Place, dice: Dice) -> Site:
    sites = [place.length, *place.deltas, place.header_count, *_contents(place)[:6]]
    return sites[dice.below(len(sites))]


@FAULTS.invalid("v2/record-length-negative", "v2.record.length.within", "the length of a record is negative")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    return None if place is None else _with_length(batch, place, dice.within(INT32_MIN, -1))


@FAULTS.invalid("v2/record-length-zero", "field.truncated", "the length of a record is 0")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    return None if place is None else _with_length(batch, place, 0)


@FAULTS.invalid("v2/record-length-less", "field.truncated", "the length of a record without headers is one less")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    return None if place is None or place.headers else _with_length(batch, place, place.length.value - 1)


@FAULTS.invalid("v2/record-length-more", "v2.record.length.exact", "the length of a record reaches into the next one")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None or place.end == len(batch.payload):
        return None
    return _with_length(batch, place, place.length.value + dice.within(1, len(batch.payload) - place.end))


@FAULTS.invalid("v2/record-length-beyond", "v2.record.length.within", "a record is longer than what is left")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None:
        return None
    return _with_length(batch, place, dice.within(len(batch.payload) - place.length.end + 1, INT32_MAX))


@FAULTS.invalid("v2/record-trailing", "v2.record.length.exact", "bytes follow the last header within a record")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None:
        return None
    payload, more = batch.payload, bytes([dice.below(256)]) * dice.within(1, 20)
    body = payload[place.length.end : place.end] + more
    return batch.with_payload(payload[: place.length.start] + write_varint(len(body)) + body + payload[place.end :])


@FAULTS.valid("v2/record-attributes", "v2.record.attributes.ignored", "bits of a record's attributes are set")
def _(batch: Batch, dice: Dice) -> Made | None:
    place = _any(batch, dice)
    if place is None:
        return None
    payload, at = batch.payload, place.length.end
    return Made(batch.with_payload(payload[:at] + bytes([1 + dice.below(255)]) + payload[at + 1 :]))


@FAULTS.invalid("v2/content-beyond", "length.within", "a key, a value or a header's is longer than its record")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None:
        return None
    sites = _contents(place)
    site = sites[dice.below(min(len(sites), 6))]
    return _with_site(batch, place, site, write_varint(dice.within(place.end - site.end + 1, INT32_MAX)))


@FAULTS.lenient(
    "v2/null-below-minus-1", "length.not-negative", "negative-length-is-null", "the length of a null is -2 or less"
)
def _(batch: Batch, dice: Dice) -> Made | None:
    place = _any(batch, dice)
    if place is None:
        return None
    sites = [site for site in (place.key, place.value, *(value for _, value in place.headers)) if site.value < 0]
    if not sites:
        return None
    site = sites[dice.below(len(sites))]
    return Made(_with_site(batch, place, site, write_varint(dice.within(INT32_MIN, -2))))


@FAULTS.invalid("v2/header-key-null", "v2.header.key.not-null", "the length of a header's key is negative")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None or not place.headers:
        return None
    site, _ = place.headers[dice.below(len(place.headers))]
    return _with_site(batch, place, site, write_varint(-1 if dice.below(2) else dice.within(INT32_MIN, -1)))


@FAULTS.invalid("v2/header-count-negative", "v2.header.count.not-negative", "the header count of a record is negative")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    return (
        None
        if place is None
        else _with_site(batch, place, place.header_count, write_varint(dice.within(INT32_MIN, -1)))
    )


@FAULTS.invalid("v2/header-count-less", "v2.record.length.exact", "the header count of a record is less")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None or not place.headers:
        return None
    return _with_site(batch, place, place.header_count, write_varint(dice.below(place.header_count.value)))


@FAULTS.invalid(
    "v2/header-count-beyond", "v2.header.count.within", "there are more headers than the record has room for"
)
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None:
        return None
    least = (place.end - place.header_count.end) // 2 + 1
    return _with_site(batch, place, place.header_count, write_varint(dice.within(least, INT32_MAX)))


@FAULTS.invalid("v2/varint-too-long", "varint.length", "a varint of a record goes on behind its last byte")
def _(batch: Batch, dice: Dice) -> bytes | None:
    place = _any(batch, dice)
    if place is None:
        return None
    site = _varint(place, dice)
    return _with_site(batch, place, site, bytes([0x80 | dice.below(128)]) * site.kind.max_bytes + b"\x01")


@FAULTS.lenient(
    "v2/varint-overlong", "varint.minimal", "overlong-varint", "a varint of a record has needless zero groups"
)
def _(batch: Batch, dice: Dice) -> Made | None:
    place = _any(batch, dice)
    if place is None:
        return None
    site = _varint(place, dice)
    room = site.kind.max_bytes - (site.end - site.start)
    if not room:
        return None
    octets = batch.payload[site.start : site.end]
    longer = octets[:-1] + bytes([octets[-1] | 0x80]) + b"\x80" * dice.below(room) + b"\0"
    return Made(_with_site(batch, place, site, longer))


@FAULTS.lenient(
    "v2/varint-excess", "varint.range", "varint-excess-bits", "the last byte of a varint has bits that do not fit"
)
def _(batch: Batch, dice: Dice) -> Made | None:
    place = _any(batch, dice)
    if place is None:
        return None
    site = _varint(place, dice)
    kind = site.kind
    number = kind.number(site.value) & (1 << kind.bits) - 1
    spare = 7 * kind.max_bytes - kind.bits
    number |= 1 + dice.below((1 << spare) - 1) << kind.bits
    groups = [number >> 7 * place & 0x7F for place in range(kind.max_bytes)]
    return Made(_with_site(batch, place, site, bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])))


@FAULTS.invalid("v2/records-trailing", "v2.records.fill-the-batch", "bytes follow the last record")
def _(batch: Batch, dice: Dice) -> bytes | None:
    more = bytes([dice.below(256)]) * dice.within(1, 20)
    return batch.with_payload(batch.payload + more) if batch.count else None


@FAULTS.invalid("v2/records-cut", "v2.record.length.within", "the end of the last record is missing")
def _(batch: Batch, dice: Dice) -> bytes | None:
    if not batch.count:
        return None
    place = place_of(batch.payload, batch.count - 1)
    left = dice.within(place.length.end, place.end - 1)
    return batch.with_payload(batch.payload[:left]) if batch.count * SMALLEST_RECORD <= left else None
