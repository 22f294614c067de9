"""Whether a client asks the broker for what its application has set.

A broker cannot make up for it: who asks for read_uncommitted is never told what was aborted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kafka_format.broker.consumer import ISOLATIONS
from kafka_format.log.special_times import SpecialTime

from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import ASKED
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest, RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation

_ISOLATION: Final = "isolation_level"
_MOST: Final = "partition_max_bytes"
_APART: Final = 2
"""So many times too much or too little is another limit: some clients add what a header takes."""


def unasked_settings(conversation: Conversation, seen: RequestsSeen) -> Iterator[Difference]:
    """Yield what a client asks otherwise than its application has set, the isolation level first.

    Versions without the field are left alone, and so are offsets that no isolation level moves.
    """
    due = ISOLATIONS.index(conversation.isolation)
    for request in seen.requests:
        if _hangs_on_isolation(request) and request.fields.get(_ISOLATION, due) != due:
            path = f"{ASKED}.{request.api}.{_ISOLATION}"
            yield Difference(path, str(due), str(request.fields[_ISOLATION]))
    first = next(iter(seen.fetches()), None)
    asked = first.value(_MOST) if first else None
    most = int(conversation.settings.get("max_bytes", 0))
    if most and asked is not None and not most <= asked * _APART <= most * _APART**2:
        yield Difference(f"{ASKED}.fetch.{_MOST}", str(most), str(asked))


def _hangs_on_isolation(request: ClientRequest) -> bool:
    is_of_end = request.api == "list_offsets" and request.value("timestamp") == SpecialTime.LATEST
    return is_of_end or request.api == "fetch"
