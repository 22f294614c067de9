"""Records of all formats: decoded as a consumer gets them, encoded as a producer or broker does.

- `decoding`, `encoding`: records of v0, v1 and v2; `v07`: of 0.7
- `quick`: batches of v2 by compiled code; `legacy`: messages and wrappers of v0 and v1
- `entries`: where each entry begins and ends; `formats`: the formats as tables
- `control`: control records; `budget`: the limits of a call; `model`: a record
"""

from kafka_format.records.decoding import decode, iterate
from kafka_format.records.encoding import encode
from kafka_format.records.model import CREATE_TIME, LOG_APPEND_TIME, NO_TIMESTAMP, Header, Record
from kafka_format.records.v07 import decode as decode_v07
from kafka_format.records.v07 import encode as encode_v07
from kafka_format.records.v07 import iterate as iterate_v07

__all__ = [
    "CREATE_TIME",
    "LOG_APPEND_TIME",
    "NO_TIMESTAMP",
    "Header",
    "Record",
    "decode",
    "decode_v07",
    "encode",
    "encode_v07",
    "iterate",
    "iterate_v07",
]
