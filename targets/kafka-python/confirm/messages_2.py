"""kafka-python 2: what its structs give of a message.

Arguments: request or response, API, version, file.
"""

import re
import sys
from importlib import import_module
from io import BytesIO
from pathlib import Path

import six

if sys.version_info >= (3, 12):
    sys.modules["kafka.vendor.six.moves"] = six.moves

from kafka.protocol.api import Request, RequestHeader
from kafka.protocol.types import Int32
from lines import show_error

for module in ("admin", "commit", "fetch", "group", "metadata", "offset", "produce"):
    import_module(f"kafka.protocol.{module}")

kind, key, version = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
request = {(struct_class.API_KEY, struct_class.API_VERSION): struct_class for struct_class in Request.__subclasses__()}[
    key, version
]
wire = BytesIO(Path(sys.argv[4]).read_bytes())
try:
    (RequestHeader.SCHEMA if kind == "request" else Int32).decode(wire)
    print((request if kind == "request" else request.RESPONSE_TYPE).decode(wire))
    print(f"{len(wire.read())} bytes are left")
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(type(error)(re.sub(r" at 0x\w+", "", str(error))))
