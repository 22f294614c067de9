"""Captures of network traffic: what Kafka's clients and brokers said to each other.

    >>> from kafka_format import capture
    >>> with open("kafka.pcap", "rb") as file:  # doctest: +SKIP
    ...     for message in capture.read(file):
    ...         print(message.time, message.kind, message.api, message.version)

It needs the extra `capture`: `pip install kafka-format-conformance[capture]`. A file is read packet
by packet; what is kept at a time is bounded (`streams`, `connection`).
"""

from kafka_format.capture.captured import Captured, Endpoint, Traffic, explain
from kafka_format.capture.packets import CaptureError, is_capture
from kafka_format.capture.reader import read

__all__ = ["CaptureError", "Captured", "Endpoint", "Traffic", "explain", "is_capture", "read"]
