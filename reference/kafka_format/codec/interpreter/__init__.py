"""The interpreter: walks a layout over bytes, or over values, with no compilation."""

from kafka_format.codec.interpreter.reader import Reader, decode
from kafka_format.codec.interpreter.spans import Span, SpanReader
from kafka_format.codec.interpreter.writer import as_mappings, encode
from kafka_format.codec.readings import DEFAULT_LIMIT

__all__ = ["DEFAULT_LIMIT", "Reader", "Span", "SpanReader", "as_mappings", "decode", "encode"]
