"""The reference as a target: its hello, decoding, encoding, and the further requests.

The further requests are to assign offsets, to convert, to deliver, and to read requests and
responses.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

from kafka_format import records, structure
from kafka_format.broker import consumer, conversion, offsets
from kafka_format.content import serdes
from kafka_format.errors import EncodeError, FormatError, Stage
from kafka_format.protocol.records import topics
from kafka_format.records import Record

from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS, FIELDS, Direction, Hello, Messages
from kafka_conformance.protocol.logs import AnswerPart
from kafka_conformance.protocol.messages import (
    AssignInput,
    ConvertInput,
    DeliverInput,
    Input,
    JsonInput,
    MessageInput,
    Reply,
    Status,
)
from kafka_conformance.serving import json_answers, message
from kafka_conformance.serving.functions import Decode, Served

_WHOLE, _TOO_SMALL, _STOPPED = range(3)
_PRODUCER = -1


def answer(asked: Input) -> Reply:
    """Answer one input of a block; only wrong input is a refusal."""
    if isinstance(asked, JsonInput):
        return json_answers.answer(asked)
    try:
        return Reply(Status.ANSWER, _ANSWERS[type(asked)](asked))
    except FormatError as error:
        return Reply(Status.REFUSED, str(error).encode("utf-8", "backslashreplace"))
    except ValueError as error:
        return Reply(Status.UNSUPPORTED, str(error).encode("utf-8", "backslashreplace"))


def _assign(asked: AssignInput) -> bytes:
    codec = offsets.PRODUCER if asked.codec == _PRODUCER else _codec(asked.codec)
    topic = offsets.TopicState(asked.magic, codec, asked.timestamp_type, asked.now, asked.leader_epoch)
    assigned = offsets.assign(asked.entries, asked.first_offset, topic)
    return structure("assigned").encode({
        "last_offset": assigned.last_offset,
        "max_timestamp": assigned.max_timestamp,
        "in_place": int(assigned.in_place),
        "entries": assigned.data,
    })  # fmt: skip


def _codec(number: int) -> str:
    if not 0 <= number < len(CODECS):
        raise ValueError(f"there is no codec {number}")
    return CODECS[number]


def _convert(asked: ConvertInput) -> bytes:
    return conversion.down_convert(asked.entries, asked.magic, asked.first_offset).data


def _deliver(asked: DeliverInput) -> bytes:
    if not 0 <= asked.isolation < len(consumer.ISOLATIONS):
        raise ValueError(f"there is no isolation level {asked.isolation}")
    delivery = consumer.deliver(asked.entries, asked.fetch_offset, consumer.ISOLATIONS[asked.isolation], asked.aborted)
    outcome = _TOO_SMALL if delivery.too_small else _STOPPED if delivery.error else _WHOLE
    detail = str(delivery.error) if delivery.error else "the fetch size is too small" if delivery.too_small else None
    return structure("delivery").encode({
        "next_offset": delivery.next_offset,
        "outcome": outcome,
        "detail": None if detail is None else detail.encode("utf-8", "backslashreplace"),
        "records": [answers.to_wire(record) for record in delivery.records],
    })  # fmt: skip


_ANSWERS: Final[Mapping[type, Callable[..., bytes]]] = {
    MessageInput: message.read,
    AssignInput: _assign,
    ConvertInput: _convert,
    DeliverInput: _deliver,
}

REQUESTS: Final = ("assign", "convert", "deliver")
"""The further requests, as a hello names them."""


def reference() -> Served:
    """The reference as served.

    Any error but a `FormatError` is a crash of ours, and must be seen as one.
    """
    hello = Hello(
        name="kafka-format reference",
        version=version("kafka-format-conformance"),
        language="Python",
        formats=("v07", "v0", "v1", "v2"),
        codecs=CODECS,
        fields=FIELDS,
        checks_crc=True,
        directions=(Direction.DECODE, Direction.ENCODE),
        requests=REQUESTS,
        partial=True,
        apis=Messages(form="json", records=[*topics()], fallback=True),
        logs=tuple(AnswerPart),
        serdes={name: kind.gives for name, kind in serdes.KINDS.items()},
    )
    refusals = (FormatError, EncodeError)
    decode = _up_to_the_fault(records.decode, records.iterate)
    decode_v07 = _up_to_the_fault(records.decode_v07, records.iterate_v07)
    return Served(hello, decode, lambda record: record, _encode, refusals, decode_v07, answer)


def _up_to_the_fault(decode: Decode, iterate: Decode) -> Decode:
    """Return a decoder that gives the records of the entries before the fault in refused bytes."""

    def read(data: bytes) -> Iterator[Any]:
        try:
            yield from decode(data)
        except FormatError as error:
            if error.stage != Stage.RESOURCE:
                with contextlib.suppress(FormatError):
                    yield from iterate(data)
            raise

    return read


def _encode(magic: int, codec: int, answer: Sequence[Record]) -> bytes:
    return records.encode(answer, magic=magic, codec=CODECS[codec])
