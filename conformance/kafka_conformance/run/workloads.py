"""What targets are timed at: batches of two sizes, plain and with each codec, both ways."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record
from kafka_tools.text import plural

from kafka_conformance.errors import NotTimedError, ProtocolError
from kafka_conformance.judging.difference import first_difference
from kafka_conformance.protocol import answers, messages
from kafka_conformance.protocol.frames import frame
from kafka_conformance.protocol.hello import CODECS, Direction
from kafka_conformance.protocol.messages import DecodeRequest, EncodeInput, EncodeRequest, InputKind, Status

FORMAT = "v2"
_SIZES = (100, 1)
_RECORD = Record(0, 1_700_000_000_000, 0, b"key-000000", b"", (Header(b"trace", b"0123456789abcdef"),))
_WORDS = b"the quick brown fox jumps over the lazy dog and on it goes until a hundred bytes are full: "


@dataclass(frozen=True, slots=True)
class Workload:
    """What is done again and again: one batch decoded, or written."""

    direction: Direction
    codec: str
    count: int
    records: tuple[Record, ...]

    @property
    def name(self) -> str:
        """The workload in a few words."""
        return f"{self.direction} {plural(self.count, 'record')}, {self.codec}"

    def frame(self, blocks: int) -> bytes:
        """Return the frame that asks for the batch so many times."""
        if self.direction is Direction.DECODE:
            data = records.encode(self.records, codec=self.codec)
            return frame(messages.request(DecodeRequest(0, InputKind.RECORDS, [data] * blocks)))
        item = EncodeInput(2, CODECS.index(self.codec), answers.to_bytes(self.records))
        return frame(messages.request(EncodeRequest(0, [item] * blocks)))

    def check(self, body: bytes, fields: Sequence[str]) -> None:
        """Return if a target's first reply is right; only what is right is timed.

        Args:
            body: the reply to a block of one.
            fields: what the target declares.

        Raises:
            NotTimedError: it is not right; the text says how.
        """
        try:
            (reply,) = messages.parse_block_reply(body).replies
            if reply.status != Status.ANSWER:
                raise NotTimedError(reply.text)
            if self.direction is Direction.DECODE:
                got = answers.from_bytes(reply.content)
            else:
                got = records.decode(reply.content)
                fields = [field for field in fields if field != "codec"]
        except (ProtocolError, FormatError, ValueError) as error:
            raise NotTimedError(str(error)) from None
        difference = first_difference(self.records, got, fields)
        if difference is not None:
            raise NotTimedError(f"wrong: {difference.path} is {difference.got}, not {difference.expected}")


def workloads() -> Iterator[Workload]:
    """Yield every workload: both directions, both sizes, plain and with each codec."""
    for direction in Direction:
        for count in _SIZES:
            for codec in CODECS:
                yield Workload(direction, codec, count, tuple(_batch(count, CODECS.index(codec))))


def _batch(count: int, codec: int) -> Iterator[Record]:
    """Yield a batch as producers send it: keys of 10 bytes, values of 100, one header."""
    for number in range(count):
        value = (b"%08d " % (number * 7919) + _WORDS)[:100]
        yield _RECORD._replace(
            offset=number, timestamp=_RECORD.timestamp + number, key=b"key-%06d" % number, value=value, codec=codec
        )
