"""pykafka: what a response gives. Arguments: request or response, API, version, file."""

import sys
from pathlib import Path

from lines import show_error
from pykafka import protocol

CLASSES = {1: protocol.FetchResponse, 2: protocol.ListOffsetResponse, 19: protocol.CreateTopicsResponse}

message_class = CLASSES[int(sys.argv[2])]
data = Path(sys.argv[4]).read_bytes()
try:
    response = (message_class.get_versions() or {0: message_class})[int(sys.argv[3])](
        data[4:]
    )  # after the correlation id
    print(response.topics if hasattr(response, "topics") else "read")
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
