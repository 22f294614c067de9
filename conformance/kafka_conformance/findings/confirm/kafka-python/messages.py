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
for one in known:
    known += one.__subclasses__()
found = next(
    one for one in known if getattr(one, "_json", None) and (one.is_request(), one.API_KEY) == (kind == "request", key)
)
try:
    print(found.decode(Path(sys.argv[4]).read_bytes(), version=version, header=True))
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
