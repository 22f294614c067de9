"""The judge of frames that pass: decodes each, lists it, counts it, writes it into a capture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from kafka_format import protocol
from kafka_format.capture import Captured
from kafka_format.errors import FormatError

from kafka_tools.proxy.capture_file import CaptureFile
from kafka_tools.proxy.link import SIZE, Link
from kafka_tools.show import capture_rows
from kafka_tools.show.capture_rows import JudgedMessage
from kafka_tools.show.capture_summary import Summary

_TELL_TOPICS = frozenset({protocol.api_number("metadata"), protocol.api_number("create_topics")})
_MOST_TOPICS = 100_000


class Judge:
    """Takes frames in the order in which they passed.

    Attributes:
        summary: figures by client and API.
        count: frames so far.
        broken: those that break a rule.
    """

    def __init__(self, show: Callable[[JudgedMessage], None], *, with_document: bool, file: Path | None) -> None:
        """Take what shows frames, whether it needs their JSON, and the file of a capture to write.

        Raises:
            OSError: the file cannot be written.
        """
        self._show = show
        self._with_document = with_document
        self._file = file.open("wb") if file is not None else None
        self._capture = CaptureFile(self._file) if self._file is not None else None
        self._topics: dict[bytes, str] = {}
        self.summary = Summary()
        self.count = self.broken = 0

    def note(self, message: Captured) -> None:
        """Judge a frame, show it, and write it down."""
        message = message._replace(topics=self._topics)
        judged = capture_rows.judge(message, with_document=self._with_document)
        if message.kind == "response" and message.api in _TELL_TOPICS and judged.fault is None:
            self._learn(message)
        self.count += message.kind != "end"
        self.broken += judged.fault is not None
        self.summary.add(judged)
        self._write(message)
        self._show(judged)

    def _learn(self, message: Captured) -> None:
        """Learn the names of topics by their ids."""
        try:
            body = protocol.decode_response(message.data[SIZE:], message.api or 0, message.version or 0).body
        except FormatError:
            return
        for topic in body.topics or ():
            name, number = getattr(topic, "name", None), getattr(topic, "topic_id", b"")
            if name and any(number) and len(self._topics) < _MOST_TOPICS:
                self._topics[number] = name

    def _write(self, message: Captured) -> None:
        if self._capture is None or not message.data:
            return
        if not self._capture.has(message.client, message.server):
            self._capture.open(message.time, message.client, message.server)
        ends = (message.client, message.server) if message.from_client else (message.server, message.client)
        self._capture.write(message.time, *ends, message.data)

    def closed(self, link: Link, time: float) -> None:
        """Write the end of a connection."""
        if self._capture is not None and self._capture.has(link.client, link.server):
            self._capture.close(time, link.client, link.server)

    def end(self) -> None:
        """Close the file of the capture."""
        if self._file is not None:
            self._file.close()
