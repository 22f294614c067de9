"""Faults of records in batches (v2), plain and compressed.

Checksums are right.
"""

from __future__ import annotations

from typing import Final

from kafka_format.primitives.integers import INT32_MAX, INT32_MIN
from kafka_format.primitives.varints import write_varint
from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.fault import Faults, FaultyBytes
from kafka_format.sampler.faults.sound_batch import SMALLEST_RECORD, FoundRecord, SoundBatch, find_record, of_a_record

FAULTS: Final = Faults[SoundBatch]()


@FAULTS.invalid("v2/record-length-negative", "v2.record.length.within", "the length of a record is negative")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes:
    return record.with_length(dice.within(INT32_MIN, -1))


@FAULTS.invalid("v2/record-length-zero", "field.truncated", "the length of a record is 0")
@of_a_record
def _(record: FoundRecord, _dice: Dice) -> bytes:
    return record.with_length(0)


@FAULTS.invalid("v2/record-length-less", "field.truncated", "the length of a record without headers is one less")
@of_a_record
def _(record: FoundRecord, _dice: Dice) -> bytes | None:
    return None if record.headers else record.with_length(record.length.value - 1)


@FAULTS.invalid("v2/record-length-more", "v2.record.length.exact", "the length of a record reaches into the next one")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes | None:
    left = len(record.batch.payload) - record.end
    return record.with_length(record.length.value + dice.within(1, left)) if left else None


@FAULTS.invalid("v2/record-length-beyond", "v2.record.length.within", "a record is longer than what is left")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes:
    left = len(record.batch.payload) - record.length.end
    return record.with_length(dice.within(left + 1, INT32_MAX))


@FAULTS.invalid("v2/record-trailing", "v2.record.length.exact", "bytes follow the last header within a record")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes:
    return record.with_body(record.body + bytes([dice.below(256)]) * dice.within(1, 20))


@FAULTS.valid("v2/record-attributes", "v2.record.attributes.ignored", "bits of a record's attributes are set")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> FaultyBytes:
    return FaultyBytes(record.with_body(bytes([1 + dice.below(255)]) + record.body[1:]))


@FAULTS.invalid("v2/content-beyond", "length.within", "a key, a value or a header's is longer than its record")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes:
    sites = record.contents[:6]
    site = sites[dice.below(len(sites))]
    return record.with_varint(site, write_varint(dice.within(record.end - site.end + 1, INT32_MAX)))


@FAULTS.lenient(
    "v2/null-below-minus-1", "length.not-negative", "negative-length-is-null", "the length of a null is -2 or less"
)
@of_a_record
def _(record: FoundRecord, dice: Dice) -> FaultyBytes | None:
    values = (record.key, record.value, *(value for _, value in record.headers))
    nulls = [site for site in values if site.value < 0]
    if not nulls:
        return None
    site = nulls[dice.below(len(nulls))]
    return FaultyBytes(record.with_varint(site, write_varint(dice.within(INT32_MIN, -2))))


@FAULTS.invalid("v2/header-key-null", "v2.header.key.not-null", "the length of a header's key is negative")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes | None:
    if not record.headers:
        return None
    key, _ = record.headers[dice.below(len(record.headers))]
    return record.with_varint(key, write_varint(-1 if dice.below(2) else dice.within(INT32_MIN, -1)))


@FAULTS.invalid("v2/header-count-negative", "v2.header.count.not-negative", "the header count of a record is negative")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes:
    return record.with_varint(record.header_count, write_varint(dice.within(INT32_MIN, -1)))


@FAULTS.invalid("v2/header-count-less", "v2.record.length.exact", "the header count of a record is less")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes | None:
    count = record.header_count
    return record.with_varint(count, write_varint(dice.below(count.value))) if record.headers else None


@FAULTS.invalid(
    "v2/header-count-beyond", "v2.header.count.within", "there are more headers than the record has room for"
)
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes:
    least = (record.end - record.header_count.end) // 2 + 1
    return record.with_varint(record.header_count, write_varint(dice.within(least, INT32_MAX)))


@FAULTS.invalid("v2/varint-too-long", "varint.length", "a varint of a record goes on after its last byte")
@of_a_record
def _(record: FoundRecord, dice: Dice) -> bytes:
    site = record.any_varint(dice)
    return record.with_varint(site, bytes([0x80 | dice.below(128)]) * site.kind.max_bytes + b"\x01")


@FAULTS.lenient(
    "v2/varint-overlong", "varint.minimal", "overlong-varint", "a varint of a record has needless zero groups"
)
@of_a_record
def _(record: FoundRecord, dice: Dice) -> FaultyBytes | None:
    site = record.any_varint(dice)
    room = site.kind.max_bytes - (site.end - site.start)
    if not room:
        return None
    octets = record.batch.payload[site.start : site.end]
    longer = octets[:-1] + bytes([octets[-1] | 0x80]) + b"\x80" * dice.below(room) + b"\0"
    return FaultyBytes(record.with_varint(site, longer))


@FAULTS.lenient(
    "v2/varint-excess", "varint.range", "varint-excess-bits", "the last byte of a varint has bits that do not fit"
)
@of_a_record
def _(record: FoundRecord, dice: Dice) -> FaultyBytes:
    site = record.any_varint(dice)
    kind = site.kind
    number = kind.number(site.value) & (1 << kind.bits) - 1
    spare = 7 * kind.max_bytes - kind.bits
    number |= 1 + dice.below((1 << spare) - 1) << kind.bits
    groups = [number >> 7 * place & 0x7F for place in range(kind.max_bytes)]
    return FaultyBytes(record.with_varint(site, bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])))


@FAULTS.invalid("v2/records-trailing", "v2.records.fill-the-batch", "bytes follow the last record")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    more = bytes([dice.below(256)]) * dice.within(1, 20)
    return batch.with_payload(batch.payload + more) if batch.count else None


@FAULTS.invalid("v2/records-cut", "v2.record.length.within", "the end of the last record is missing")
def _(batch: SoundBatch, dice: Dice) -> bytes | None:
    if not batch.count:
        return None
    last = find_record(batch, batch.count - 1)
    left = dice.within(last.length.end, last.end - 1)
    return batch.with_payload(batch.payload[:left]) if batch.count * SMALLEST_RECORD <= left else None
