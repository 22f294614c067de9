"""Serves a decode function in isolation: in forked children, each for as long as it lives.

The work is done by isolation.py, which stands beside the adapters: it runs in their environments
too, where this suite is not installed.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any

from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import hello_reply
from kafka_conformance.protocol.messages import InputKind
from kafka_conformance.serving import error_text
from kafka_conformance.serving.functions import Decode, Served
from kafka_conformance.targets.folders import TARGETS

FOLDER = TARGETS / "common" / "python"
PAGE = "KAFKA_CONFORMANCE_PAGE"
"""The environment variable that asks for it, and names the file that holds the page."""


def is_asked_for() -> bool:
    """True if this process was started to decode in isolation."""
    return PAGE in os.environ


def serve(served: Served, requests: int, replies: int) -> None:
    """Serve until the end of input, and exit; input and output are file descriptors."""
    sys.path.append(str(FOLDER))
    import isolation  # noqa: PLC0415 - found by the line above

    def refusal(error: BaseException) -> tuple[int, bytes]:
        if issubclass(type(error), served.refusals):
            return served.refusal(error)
        return isolation.RAISED, b"raised " + error_text.text_of(error)

    decode = {InputKind.RECORDS: served.decode, InputKind.MESSAGE_SET_07: served.decode_v07}
    isolation.serve(
        isolation.Decoder(
            hello=hello_reply(served.hello)[1:],
            decode={int(kind): _listing(function) for kind, function in decode.items() if function is not None},
            answer=_answer(served.hello.fields),
            careful=lambda items: answers.to_bytes([served.record(item) for item in items]),
            refusal=refusal,
            text=error_text.text_of,
        ),
        requests,
        replies,
    )


def _listing(decode: Decode) -> Callable[[bytes], list[Any]]:
    return lambda data: list(decode(data))


def _answer(fields: Sequence[str]) -> Callable[[list[Any]], bytes]:
    """Return what writes an answer of records, mappings or objects."""
    import answer_bytes  # noqa: PLC0415 - `serve` has said where it is

    # A getter of one name gives no tuple, so the first is asked for twice; the column after the
    # last is not looked at.
    names = (*fields, fields[0])
    write = answer_bytes.writer(has_text=False)
    by_item, by_attribute = itemgetter(*names), attrgetter(*names)

    def answer(items: list[Any]) -> bytes:
        getter = by_item if items and isinstance(items[0], Mapping) else by_attribute
        columns = dict(zip(names, zip(*map(getter, items), strict=True), strict=bool(items)))
        return write(answer_bytes.runs(columns, len(items)))

    return answer
