"""kafka-python: what its readers of groups give of a value.

Arguments: the kind of content, headers, a file.
"""

import logging
import sys
from pathlib import Path

from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.protocol.consumer.metadata import ConsumerProtocolSubscription

logging.disable()
data = Path(sys.argv[3]).read_bytes()
try:
    if sys.argv[1] == "sticky-user-data":
        told = StickyPartitionAssignor.parse_member_metadata(ConsumerProtocolSubscription(0, [], data))
        print(f"partitions={told.partitions} generation={told.generation}")
    else:
        print(f"topics={ConsumerProtocolSubscription.decode(data).topics}")
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    print(f"error: {type(error).__name__}: {error}")
