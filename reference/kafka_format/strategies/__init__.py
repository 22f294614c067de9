"""Hypothesis strategies for every layout, derived from the layouts.

`values` walks the model of a layout, so a field that is added to spec/layouts is tested from that
day on. What it draws leans to the edges: null and empty, the borders between varint lengths, the
limits of the integers. Computed fields (lengths, counts, checksums) are left to the encoder, and
constants are right. `damaged` makes one change to such bytes. `records` and `entries` draw what
`kafka_format.records` writes and reads, `control_records` keys and values of control records.
`versions` draws values of any version of the protocol's layouts, `requests` and `responses` whole
ones.

    from hypothesis import given
    from kafka_format import strategies

    @given(strategies.entries())
    def test_my_decoder_reads(data): ...

    @given(strategies.requests("fetch", 12))
    def test_my_broker_reads(data): ...

    @given(strategies.damaged(strategies.encoded("record_batch"), "record_batch"))
    def test_my_decoder_refuses_or_agrees(data): ...

All are made of tuples and maps, not of composite draws, which are half as fast, and draw from
nothing but Hypothesis: under `derandomize` every run draws the same.
"""

from kafka_format.strategies.damage import damaged
from kafka_format.strategies.layouts import contents, encoded, numbers, values
from kafka_format.strategies.protocol import encoded_versions, requests, responses, versions
from kafka_format.strategies.runs import control_records, entries, records, wrappers

__all__ = [
    "contents",
    "control_records",
    "damaged",
    "encoded",
    "encoded_versions",
    "entries",
    "numbers",
    "records",
    "requests",
    "responses",
    "values",
    "versions",
    "wrappers",
]
