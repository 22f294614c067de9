"""Metrics of clients: what is broken or too much is refused; what a client wrote is read."""

import zlib

import pytest
from kafka_format import compression
from kafka_format.content import serdes
from kafka_format.errors import FormatError, Stage

# Written by ClientTelemetryUtils.compressMetrics of 4.4.0: a gauge of 1.5 at 1700000000000.
GAUGE = bytes.fromhex("0a250a001221121f0a07612e67617567652a140a121900002a36fe9c971721000000000000f83f")
GAUGE_READ = {
    "resource_metrics": [
        {
            "resource": {},
            "scope_metrics": [
                {
                    "metrics": [
                        {
                            "name": "a.gauge",
                            "gauge": {"data_points": [{"time_unix_nano": "1700000000000000000", "as_double": 1.5}]},
                        }
                    ]
                }
            ],
        }
    ]
}


@pytest.mark.parametrize("codec", compression.NAMES[1:])
def test_what_decompresses_to_more_than_a_broker_takes_is_refused(codec: str) -> None:
    bomb = compression.compress(codec, bytes(5 << 20))
    with pytest.raises(FormatError) as refused:
        serdes.read(f"telemetry-{codec}", bomb)
    assert (refused.value.rule, refused.value.stage) == ("compression.limit", Stage.RESOURCE)


@pytest.mark.parametrize("field", [b"\x0a\0", b"\x50\1"])
def test_more_fields_than_memory_is_kept_for_are_refused(field: bytes) -> None:
    with pytest.raises(FormatError) as refused:
        serdes.read("telemetry", field * 250_001)
    assert (refused.value.rule, refused.value.stage) == ("content.telemetry.limit", Stage.RESOURCE)


@pytest.mark.parametrize(
    ("data", "offset", "path"),
    [
        (GAUGE[:-1], 1, ()),
        (b"\x0a\2\x0a\5", 3, ("resource_metrics", 0, "resource")),
        (
            GAUGE.replace(b"\x0a\7a.", b"\x0a\7\xff."),
            10,
            ("resource_metrics", 0, "scope_metrics", 0, "metrics", 0, "name"),
        ),
    ],
)
def test_a_fault_has_its_place(data: bytes, offset: int, path: tuple[str | int, ...]) -> None:
    with pytest.raises(FormatError) as refused:
        serdes.read("telemetry", data)
    assert (refused.value.rule, refused.value.offset) == ("content.telemetry.message", offset)
    assert refused.value.path[: len(path)] == path


def test_a_fault_in_what_was_compressed_counts_there() -> None:
    with pytest.raises(FormatError) as refused:
        serdes.read("telemetry-gzip", compression.compress("gzip", b"\x0a\2\x0a\5"))
    assert (refused.value.offset, refused.value.payload) == (3, True)


@pytest.mark.parametrize("kind", ["telemetry", "telemetry-gzip"])
def test_what_a_client_wrote_is_read(kind: str) -> None:
    data = GAUGE if kind == "telemetry" else zlib.compress(GAUGE, wbits=31)
    assert serdes.read(kind, data) == {"value": GAUGE_READ}
