"""Records of all formats: bytes to records as a consumer gets them, and back as a producer or broker writes them."""

from kafka_format.records.decoding import decode, iterate
from kafka_format.records.encoding import encode
from kafka_format.records.model import CREATE_TIME, LOG_APPEND_TIME, NO_TIMESTAMP, Header, Record

__all__ = ["CREATE_TIME", "LOG_APPEND_TIME", "NO_TIMESTAMP", "Header", "Record", "decode", "encode", "iterate"]
