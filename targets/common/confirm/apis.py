"""Numbers of Kafka's APIs that brokers are asked about, and what most requests have."""

import os
import struct

PRODUCE, FETCH, LIST_OFFSETS, METADATA, OFFSET_COMMIT, OFFSET_FETCH, FIND_COORDINATOR = 0, 1, 2, 3, 8, 9, 10
JOIN_GROUP, SYNC_GROUP, DESCRIBE_GROUPS, API_VERSIONS, CREATE_TOPICS, DELETE_RECORDS, INIT_PRODUCER_ID = (
    11,
    14,
    15,
    18,
    19,
    21,
    22,
)
ADD_OFFSETS, END_TXN, TXN_OFFSET_COMMIT, DESCRIBE_CONFIGS, MOVE_REPLICAS, ALTER_CONFIGS = 25, 26, 28, 32, 34, 44
REASSIGN, ALTER_QUOTAS, DESCRIBE_SCRAM, ALTER_SCRAM, SHARE_HEARTBEAT, DESCRIBE_SHARE = 45, 49, 50, 51, 76, 77

TOPIC, GROUP, PRODUCER = (f"{name}{os.getpid()}" for name in ("topic-", "group-", "producer-"))
"""Names that no other run of this program has."""

NONE, ONE = struct.pack(">i", 0), struct.pack(">i", 1)
TIMEOUTS = struct.pack(">ii", 30000, 30000)
AT_ERROR = 4  # behind the time for which to wait
AT_FLEXIBLE_ERROR = 5  # the header has tagged fields, too
A_RECORD = bytes.fromhex(
    "00000000000000000000003bffffffff028799bab200000000000000000000000003e800000000000003e8"
    "ffffffffffffffffffffffffffff000000011200000001066f6e6500"
)
"""A batch with one record, of the time 1000."""
