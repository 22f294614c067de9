"""aiokafka: what its structs give of a message.

Arguments: request or response, API, version, file.
"""

import re
import sys
from importlib import import_module
from io import BytesIO
from pathlib import Path

from aiokafka.protocol import api
from lines import show_error

for module in ("admin", "commit", "coordination", "fetch", "group", "metadata", "offset", "produce", "transaction"):
    import_module(f"aiokafka.protocol.{module}")

kind, key, version = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
structs = {
    (struct_class.API_KEY, struct_class.API_VERSION): struct_class
    for struct_class in api.RequestStruct.__subclasses__()
}
request = structs[key, version]
headers = {
    "request": (api.RequestHeader_v1, api.RequestHeader_v2),
    "response": (api.ResponseHeader_v0, api.ResponseHeader_v1),
}
wire = BytesIO(Path(sys.argv[4]).read_bytes())
try:
    headers[kind][request.FLEXIBLE_VERSION].SCHEMA.decode(wire)
    print((request if kind == "request" else request.RESPONSE_TYPE).decode(wire))
    print(f"{len(wire.read())} bytes are left")
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(type(error)(re.sub(r" at 0x\w+", "", str(error))))
