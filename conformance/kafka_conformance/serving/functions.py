"""The parts of a target that is served: what it declares, and the functions that do its work."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kafka_format.errors import FormatError
from kafka_format.records import Record

from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Input, InputKind, Reply, Status
from kafka_conformance.serving import error_text

Decode = Callable[[bytes], Iterable[Any]]
Encode = Callable[[int, int, Sequence[Record]], bytes]


@dataclass(frozen=True, slots=True)
class Served:
    """A target to serve.

    Attributes:
        hello: what it declares.
        decode: a record run to anything that `record` takes.
        record: one such thing to a `Record`; what it raises ends the adapter, because it is not
            about the bytes.
        encode: magic, codec and records to the bytes of one batch or message set.
        refusals: exceptions that mean "these bytes are wrong"; any other ends the adapter, as it
            would end a program.
        decode_v07: the same as `decode` for message sets of 0.7, if the target reads those.
        answer: one input of a further request (assign, convert, deliver) to its result.

    Records that `decode` has yielded before it raises a refusal are a partial answer.
    """

    hello: Hello
    decode: Decode
    record: Callable[[Any], Record]
    encode: Encode | None = None
    refusals: tuple[type[Exception], ...] = (Exception,)
    decode_v07: Decode | None = None
    answer: Callable[[Input], Reply] = lambda _: Reply(Status.UNSUPPORTED, b"does not answer such requests")

    def decoder(self, input_kind: int) -> Decode | None:
        """Return the function that decodes inputs of that kind; None if there is none."""
        decoders: dict[int, Decode | None] = {InputKind.RECORDS: self.decode, InputKind.MESSAGE_SET_07: self.decode_v07}
        return decoders.get(input_kind)

    def refusal(self, error: BaseException) -> Reply:
        """Return whether an exception is a refusal of the bytes."""
        return Reply(Status.REFUSED, error_text.text_of(error, named=not issubclass(type(error), FormatError)))
