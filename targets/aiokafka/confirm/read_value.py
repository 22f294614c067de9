"""aiokafka: what its readers of groups give of a value.

Arguments: the kind of content, headers, a file.
"""

import logging
import sys
from pathlib import Path

from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from aiokafka.coordinator.protocol import ConsumerProtocolMemberMetadata

logging.disable()
data = Path(sys.argv[3]).read_bytes()
try:
    if sys.argv[1] == "sticky-user-data":
        told = StickyPartitionAssignor.parse_member_metadata(ConsumerProtocolMemberMetadata(0, [], data))
        print(f"partitions={told.partitions} generation={told.generation}")
    else:
        print(f"topics={ConsumerProtocolMemberMetadata.decode(data).subscription}")
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    print(f"error: {type(error).__name__}: {error}")
