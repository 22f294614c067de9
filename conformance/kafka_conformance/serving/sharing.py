"""Serves a decode function on blocks in shared memory; the work is done by the module that adapters of Python use too.

That module, shared_blocks.py, stands beside the adapters, because it runs in their environments, where this suite is
not installed.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import hello_reply
from kafka_conformance.serving import error_text
from kafka_conformance.targets.folders import ADAPTERS, TARGETS

if TYPE_CHECKING:
    from kafka_conformance.serving.loop import Served

FOLDER = TARGETS / "common" / "python"
PROGRAM = FOLDER / "share.py"
"""What runs an adapter so; the adapter is its argument."""

VARIABLE = "KAFKA_CONFORMANCE_BLOCKS"


def asked_for() -> bool:
    """True if this process was started to share blocks."""
    return VARIABLE in os.environ


def serve(served: "Served", requests: int, replies: int) -> None:
    """Serve until the end of input; the numbers are file descriptors."""
    sys.path += [str(ADAPTERS / "python"), str(FOLDER)]
    import shared_blocks  # noqa: PLC0415 - found by the line above
    from shared_groups import Records  # noqa: PLC0415 - likewise

    values = _values(served.hello.fields)
    decoder = shared_blocks.Decoder(
        hello=hello_reply(served.hello)[1:],
        decoders=(served.decode, served.decode_v07),
        decoded=lambda decode: Records(decode, values),
        imaging=None,
        answer=lambda items: answers.to_bytes([served.record(item) for item in items]),
        refusal=lambda error: served.refusal(error).content if issubclass(type(error), served.refusals) else None,
        unsupported=_Never,
        told=error_text.told,
    )
    shared_blocks.serve(decoder, requests, replies)


class _Never(Exception):  # noqa: N818 - it is never raised: functions have no word for what they do not support
    """In place of an exception that tells of a gap."""


def _values(fields: Sequence[str]) -> Callable[[Sequence[Any]], Mapping[str, Sequence[Any]]]:
    """Return what puts records, mappings or objects, into a sequence for each field."""
    # A getter of one name gives no tuple, so the first is asked for twice; the column behind the last is not looked at.
    names = (*fields, fields[0])
    by_item, by_attribute = itemgetter(*names), attrgetter(*names)

    def values(items: Sequence[Any]) -> Mapping[str, Sequence[Any]]:
        if not items:
            return dict.fromkeys(fields, ())
        getter = by_item if isinstance(items[0], Mapping) else by_attribute
        return dict(zip(names, zip(*map(getter, items), strict=True), strict=True))

    return values
