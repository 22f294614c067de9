"""What clients tell a broker of themselves (KIP-714): OpenTelemetry's metrics, compressed.

The messages are those of opentelemetry-proto, as Kafka 3.7 and later have them in their jars.
"""

from __future__ import annotations

from typing import Any, Final

from kafka_format import compression
from kafka_format.content.answers import Answer, Reader
from kafka_format.content.protobuf import Field, MessageReader, Messages
from kafka_format.errors import FormatError

MESSAGE: Final = "MetricsData"
RULE: Final = "content.telemetry.message"
LIMIT: Final = 4 << 20
"""Bytes that metrics may decompress to; a broker takes a million (telemetry.max.bytes)."""


def _many(name: str, kind: str) -> Field:
    return Field(name, kind, is_repeated=True)


def _one_of(oneof: str, name: str, kind: str) -> Field:
    return Field(name, kind, oneof=oneof)


def _optional(name: str) -> Field:
    return Field(name, "double", is_optional=True)


_TIMES: Final = {2: Field("start_time_unix_nano", "fixed64"), 3: Field("time_unix_nano", "fixed64")}
_COUNT: Final = {4: Field("count", "fixed64")}
_TEMPORALITY: Final = {2: Field("aggregation_temporality", "enum")}

MESSAGES: Final[Messages] = {
    MESSAGE: {1: _many("resource_metrics", "ResourceMetrics")},
    "ResourceMetrics": {
        1: Field("resource", "Resource"),
        2: _many("scope_metrics", "ScopeMetrics"),
        3: Field("schema_url", "string"),
    },
    "Resource": {1: _many("attributes", "KeyValue"), 2: Field("dropped_attributes_count", "uint32")},
    "KeyValue": {1: Field("key", "string"), 2: Field("value", "AnyValue")},
    "AnyValue": {
        1: _one_of("value", "string_value", "string"),
        2: _one_of("value", "bool_value", "bool"),
        3: _one_of("value", "int_value", "int64"),
        4: _one_of("value", "double_value", "double"),
        5: _one_of("value", "array_value", "ArrayValue"),
        6: _one_of("value", "kvlist_value", "KeyValueList"),
        7: _one_of("value", "bytes_value", "bytes"),
    },
    "ArrayValue": {1: _many("values", "AnyValue")},
    "KeyValueList": {1: _many("values", "KeyValue")},
    "ScopeMetrics": {
        1: Field("scope", "InstrumentationScope"),
        2: _many("metrics", "Metric"),
        3: Field("schema_url", "string"),
    },
    "InstrumentationScope": {
        1: Field("name", "string"),
        2: Field("version", "string"),
        3: _many("attributes", "KeyValue"),
        4: Field("dropped_attributes_count", "uint32"),
    },
    "Metric": {
        1: Field("name", "string"),
        2: Field("description", "string"),
        3: Field("unit", "string"),
        5: _one_of("data", "gauge", "Gauge"),
        7: _one_of("data", "sum", "Sum"),
        9: _one_of("data", "histogram", "Histogram"),
        10: _one_of("data", "exponential_histogram", "ExponentialHistogram"),
        11: _one_of("data", "summary", "Summary"),
        12: _many("metadata", "KeyValue"),
    },
    "Gauge": {1: _many("data_points", "NumberDataPoint")},
    "Sum": {1: _many("data_points", "NumberDataPoint"), **_TEMPORALITY, 3: Field("is_monotonic", "bool")},
    "Histogram": {1: _many("data_points", "HistogramDataPoint"), **_TEMPORALITY},
    "ExponentialHistogram": {1: _many("data_points", "ExponentialHistogramDataPoint"), **_TEMPORALITY},
    "Summary": {1: _many("data_points", "SummaryDataPoint")},
    "NumberDataPoint": {
        **_TIMES,
        4: _one_of("value", "as_double", "double"),
        5: _many("exemplars", "Exemplar"),
        6: _one_of("value", "as_int", "sfixed64"),
        7: _many("attributes", "KeyValue"),
        8: Field("flags", "uint32"),
    },
    "Exemplar": {
        2: Field("time_unix_nano", "fixed64"),
        3: _one_of("value", "as_double", "double"),
        4: Field("span_id", "bytes"),
        5: Field("trace_id", "bytes"),
        6: _one_of("value", "as_int", "sfixed64"),
        7: _many("filtered_attributes", "KeyValue"),
    },
    "HistogramDataPoint": {
        **_TIMES,
        **_COUNT,
        5: _optional("sum"),
        6: _many("bucket_counts", "fixed64"),
        7: _many("explicit_bounds", "double"),
        8: _many("exemplars", "Exemplar"),
        9: _many("attributes", "KeyValue"),
        10: Field("flags", "uint32"),
        11: _optional("min"),
        12: _optional("max"),
    },
    "ExponentialHistogramDataPoint": {
        1: _many("attributes", "KeyValue"),
        **_TIMES,
        **_COUNT,
        5: _optional("sum"),
        6: Field("scale", "sint32"),
        7: Field("zero_count", "fixed64"),
        8: Field("positive", "Buckets"),
        9: Field("negative", "Buckets"),
        10: Field("flags", "uint32"),
        11: _many("exemplars", "Exemplar"),
        12: _optional("min"),
        13: _optional("max"),
        14: Field("zero_threshold", "double"),
    },
    "Buckets": {1: Field("offset", "sint32"), 2: _many("bucket_counts", "uint64")},
    "SummaryDataPoint": {
        **_TIMES,
        **_COUNT,
        5: Field("sum", "double"),
        6: _many("quantile_values", "ValueAtQuantile"),
        7: _many("attributes", "KeyValue"),
        8: Field("flags", "uint32"),
    },
    "ValueAtQuantile": {1: Field("quantile", "double"), 2: Field("value", "double")},
}
"""The fields of metrics."""

CODECS: Final = {f"telemetry-{codec}" if codec != "none" else "telemetry": codec for codec in compression.NAMES}
"""The codecs, by the kinds of content."""


def plain(codec: str, data: bytes, flags: frozenset[str], limit: int = LIMIT) -> bytes:
    """Return metrics decompressed.

    Raises:
        FormatError: the stream is wrong, or has more than `limit` bytes.
    """
    return compression.decompress(codec, data, limit=limit, flags=flags)


def telemetry(codec: str) -> Reader:
    """Return a reader of metrics that are compressed by a codec."""

    def read(data: bytes, _: object, flags: frozenset[str]) -> Answer:
        return {"value": _read(plain(codec, data, flags), is_payload=codec != "none")}

    return read


def _read(data: bytes, *, is_payload: bool) -> dict[str, Any]:
    try:
        return MessageReader(data, MESSAGES, RULE).read(MESSAGE)
    except FormatError as error:
        raise error.within(payload=is_payload) from None
