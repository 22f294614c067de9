"""kio: what its readers give of a message. Arguments: request or response, API, version, file."""

import sys
from pathlib import Path

from kio.index import load_request_schema, load_response_schema
from kio.serial import entity_reader
from lines import show_error

load = {"request": load_request_schema, "response": load_response_schema}[sys.argv[1]]
schema = load(int(sys.argv[2]), int(sys.argv[3]))
data = Path(sys.argv[4]).read_bytes()
try:
    _, size = entity_reader(schema.__header_schema__)(data, 0)
    print(entity_reader(schema)(data, size)[0])
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
