"""afkak: what a response gives. Arguments: request or response, API, version, file."""

import sys
from pathlib import Path

from afkak.kafkacodec import KafkaCodec
from lines import show_error

READERS = {"10": KafkaCodec.decode_consumermetadata_response, "3": KafkaCodec.decode_metadata_response}

try:
    print(READERS[sys.argv[2]](Path(sys.argv[4]).read_bytes()))
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
