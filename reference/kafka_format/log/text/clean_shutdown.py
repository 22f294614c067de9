"""The marker of a clean stop, `.kafka_cleanshutdown` (storage CleanShutdownFileHandler).

That it is there is what counts. Since 3.7 it has the epoch of the broker as JSON,
`{"version":0,"brokerEpoch":15}` (KIP-966); before, and where it cannot be read, the epoch is
unknown.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from kafka_format.log.text.lines import text_error

NAME: Final = ".kafka_cleanshutdown"
_LOOSE: Final = "checkpoint-loose-text"


class CleanShutdown(NamedTuple):
    """The content of the marker: the epoch of the broker; -1 is unknown."""

    broker_epoch: int = -1


def decode(data: bytes, flags: frozenset[str] = frozenset()) -> CleanShutdown:
    """Read the marker; one without a byte is from 3.6 or older.

    Raises:
        FormatError: it has bytes that are not the JSON of Kafka. A broker then takes the epoch for
            unknown.
    """
    if not data:
        return CleanShutdown()
    try:
        document = json.loads(data)
        if document["version"] == 0 and isinstance(document["brokerEpoch"], int):
            return CleanShutdown(document["brokerEpoch"])
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    if _LOOSE in flags:
        return CleanShutdown()
    raise text_error("log.clean-shutdown.json", 'is not {"version":0,"brokerEpoch":...}', 0)


def encode(marker: CleanShutdown) -> bytes:
    """Write the marker as 3.7 and newer do."""
    return json.dumps({"version": 0, "brokerEpoch": marker.broker_epoch}, separators=(",", ":")).encode()
