"""kafka-python: what its classes give of a message.

Arguments: request or response, API, version, file.
"""

import sys
from importlib import import_module
from pathlib import Path

from kafka.protocol.api_message import ApiMessage
from lines import show_error

for module in ("admin", "consumer", "metadata", "producer", "sasl"):
    import_module(f"kafka.protocol.{module}")

kind, key, version = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
known = ApiMessage.__subclasses__()
for message_class in known:
    known += message_class.__subclasses__()
message_class = next(
    message_class
    for message_class in known
    if getattr(message_class, "_json", None)
    and (message_class.is_request(), message_class.API_KEY) == (kind == "request", key)
)
try:
    print(message_class.decode(Path(sys.argv[4]).read_bytes(), version=version, header=True))
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
