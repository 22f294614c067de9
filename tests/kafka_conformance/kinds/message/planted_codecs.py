"""Codecs of messages with a fault planted on purpose; nothing of the suite's own is in them."""

from __future__ import annotations

from typing import Any

from kafka_format.spec.layout.model import Layout

from tests.kafka_conformance.kinds.message.faults import BrokenError, Faults, PlantedCodec
from tests.kafka_conformance.kinds.message.faulty_reader import Cursor, structure
from tests.kafka_conformance.kinds.message.faulty_writer import write


def recode(layout: Layout, data: bytes, faults: Faults, form: str) -> Any:
    """Return values, or bytes written again.

    Raises:
        BrokenError: the bytes cannot be read.
    """
    cursor = Cursor(data, faults)
    values = structure(layout, cursor)
    if cursor.at != len(data):
        raise BrokenError
    return values if form == "json" else write(layout, values, faults)


PLANTS = [
    PlantedCodec("write compact count", "writes/compact-count"),
    PlantedCodec("write compact count", "writes/compact-count", message="fetch response"),
    PlantedCodec("write compact count", "writes/compact-count", message="metadata response", field="brokers"),
    PlantedCodec("write compact size", "writes/compact-size"),
    PlantedCodec("write compact size", "writes/compact-size", message="create-topics request"),
    PlantedCodec("write count one more", "writes/count-too-high"),
    PlantedCodec("write array not compact", "writes/array-not-compact"),
    PlantedCodec("write array not compact", "writes/array-not-compact", message="metadata request"),
    PlantedCodec("write string not compact", "writes/string-not-compact"),
    PlantedCodec("write size in characters", "writes/size-in-characters"),
    PlantedCodec("write varint byte", "writes/varint-one-byte"),
    PlantedCodec("write varint big-endian", "writes/varint-big-endian"),
    PlantedCodec("write null array as empty", "empty-for-null-array"),
    PlantedCodec("write null string as empty", "empty-for-null-string"),
    PlantedCodec("write last item lost", "writes/last-item-lost"),
    PlantedCodec("write no tags", "writes/no-tag-sections"),
    PlantedCodec("write no tags", "tag", message="heartbeat request"),
    PlantedCodec("write default tags", "writes/default-tags-written"),
    PlantedCodec("write known tags lost", "writes/known-tags-lost"),
    PlantedCodec("write tags descending", "writes/tags-descending"),
    PlantedCodec("write tag size", "writes/tag-size"),
    PlantedCodec("write bool 255", "writes/bool-as-255"),
    PlantedCodec("write bool 255", "writes/bool-as-255", message="metadata request"),
    PlantedCodec("write float little", "writes/float-little-endian"),
    PlantedCodec("write uuid halves", "writes/id-halves"),
    PlantedCodec("write little-endian", "writes/numbers-little-endian"),
    PlantedCodec("write int64 as int32", "writes/int64-as-int32"),
    PlantedCodec("write int64 as int32", "fetch_offset", message="fetch request", field="fetch_offset"),
    PlantedCodec("write int32 as int64", "writes/int32-as-int64"),
    PlantedCodec("write null marker 0", "writes/marker-0-for-null"),
    *(
        PlantedCodec(fault, cause, form)
        for form in ("json", "bytes")
        for fault, cause in (
            ("read compact count", "reads/compact-count"),
            ("read compact size", "reads/compact-size"),
            ("read varint byte", "reads/varint-one-byte"),
            ("read varint two bytes", "reads/varint-refused-beyond-two-bytes"),
            ("read to nul", "reads/text-to-nul"),
            ("read last item lost", "last-item-lost"),
            ("read items reversed", "items-reversed"),
            ("read same item", "item"),
            ("read count one less", "reads/count-too-low"),
            ("read null array as empty", "null"),
            ("read null string as empty", "null"),
            ("read empty as null", "null-for-empty"),
            ("read latin-1", "reads/text-as-latin-1"),
            ("read ascii only", "reads/text-as-ascii"),
            ("read bool 255", "bool"),
            ("read bool inverted", "bool-"),
            ("read float little", "float-little-endian"),
            ("read float single", "single"),
            ("read uuid halves", "id-halves"),
            ("read int64 as int32", "int64-as-int32"),
            ("read int16 as int32", "int16-as-int32"),
            ("read int64 low half", "32-bits"),
            ("read no tags", "reads/no-tag-sections"),
            ("read unknown tags refused", "unknown-tags"),
        )
    ),
    PlantedCodec("read int32 unsigned", "unsigned", "json"),
    PlantedCodec("read int16 unsigned", "unsigned", "json"),
]

HELD_OUT = [
    PlantedCodec("write varint two bytes", "writes/varint-two-bytes"),
    PlantedCodec("write varint padded", "writes/varint-padded"),
    PlantedCodec("write varint 128 in one byte", "writes/varint-ends-at-128"),
    PlantedCodec("write varint zigzag", "writes/varint-zigzag"),
    PlantedCodec("write first item lost", "writes/first-item-lost"),
    PlantedCodec("write only first item", "only-first-item"),
    PlantedCodec("write items reversed", "items-reversed"),
    PlantedCodec("write count one less", "writes/count-too-low"),
    PlantedCodec("write size one less", "writes/size-too-low"),
    PlantedCodec("write size in utf-16", "writes/size-in-utf-16"),
    PlantedCodec("write null not compact", "writes/null-array-not-compact"),
    PlantedCodec("write empty array as null", "null-for-empty-array"),
    PlantedCodec("write empty string as null", "null-for-empty-string"),
    PlantedCodec("write latin-1", "writes/text-as-latin-1"),
    PlantedCodec("write nul behind text", "writes/text-with-nul"),
    PlantedCodec("write bytes padded", "writes/bytes-"),
    PlantedCodec("write bool inverted", "bool-inverted"),
    PlantedCodec("write float single", "float-in-four-bytes"),
    PlantedCodec("write uuid zero", "writes/id-zero"),
    PlantedCodec("write uuid guid", "id-mixed-endian"),
    PlantedCodec("write int16 as int32", "writes/int16-as-int32"),
    PlantedCodec("write int64 low half", "int64-low-32-bits"),
    PlantedCodec("write unsigned lost", "writes/numbers-clamped"),
    PlantedCodec("write unknown tags dropped outside", "writes/outer-unknown-tags-lost"),
    PlantedCodec("write unknown tags dropped inside", "writes/inner-unknown-tags-lost"),
    PlantedCodec("write unknown tags first", "writes/unknown-tags-first"),
    PlantedCodec("write tag count", "writes/tag-count"),
    PlantedCodec("write tag number", "writes/tag-number"),
    PlantedCodec("write tag section empty", "tags-lost"),
    PlantedCodec("write size in characters", "size-in-characters", message="create-topics request", field="name"),
    PlantedCodec("write count one more", "count-too-high", message="fetch response", field="aborted_transactions"),
    PlantedCodec("write int32 as int64", "int32-as-int64", message="metadata response", field="port"),
    *(
        PlantedCodec(fault, cause, form)
        for form in ("json", "bytes")
        for fault, cause in (
            ("read varint stops at two", "beyond-two-bytes"),
            ("read varint zigzag", "varint-zigzag"),
            ("read null refused", "null-refused"),
            ("read first item lost", "item-lost"),
            ("read only first item", "only-first-item"),
            ("read items sorted", "items-sorted"),
            ("read bytes as text", "bytes-as-text"),
            ("read bytes cut", "bytes-cut"),
            ("read cut at 255", "text-cut-255"),
            ("read ascii kept", "text-ascii"),
            ("read without astral", "text-plane-0-kept"),
            ("read bool true", "bool-true"),
            ("read uuid reversed", "id-reversed"),
            ("read int32 as int16", "int32-as-int"),
            ("read int64 without sign", "int64-absolute"),
            ("read int32 not below 0", "int32-clamped"),
            ("read int16 low byte", "int16-low-8-bits"),
            ("read number little", "numbers-little-endian"),
            ("read float whole", "float-whole"),
            ("read known tags skipped", "known-tags-"),
            ("read size of tags ignored", "unknown-tags-"),
            ("read default zero", "default"),
        )
    ),
    PlantedCodec("read int64 unsigned", "unsigned", "json"),
    PlantedCodec("read null string as empty", "empty-for-null-string", "json", "metadata response", "cluster_id"),
    PlantedCodec("read null array as empty", "empty-for-null-array", "bytes", "metadata request", "topics"),
    PlantedCodec("read last item lost", "aborted_transactions", "json", "fetch response", "aborted_transactions"),
    PlantedCodec("read bool inverted", "bool-inverted", "bytes", "metadata response", "is_internal"),
    PlantedCodec("read int64 low half", "log_start_offset", "json", "fetch response", "log_start_offset"),
    PlantedCodec("read int16 low byte", "int16-low-8-bits", "json", "heartbeat response", "error_code"),
]
"""Planted before the causes were looked at; what the vectors cannot tell apart was widened since.

Who loses the first item of an array shows the same values as who loses the last one, so that
`item-lost` is all that can be asked of both.
"""
