"""aiokafka: what calls of `AIOKafkaConsumer.getmany` give of a partition, and where it stands then.

Arguments: the broker's address, the topic; what else is given is not read.
"""

import asyncio
import sys

from aiokafka import AIOKafkaConsumer, TopicPartition
from lines import show_error

_CALLS = 12


async def main(address: str, topic: str, *_given: str) -> None:
    partition = TopicPartition(topic, 0)
    consumer = AIOKafkaConsumer(bootstrap_servers=address, auto_offset_reset="earliest", enable_auto_commit=False)
    await consumer.start()
    consumer.assign([partition])
    records = errors = 0
    for _ in range(_CALLS):
        try:
            records += sum(map(len, (await consumer.getmany(timeout_ms=300)).values()))
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
            if not errors:
                show_error(error)
            errors += 1
    place = await consumer.position(partition)
    print(f"{_CALLS} calls, {errors} errors, {records} records, then at offset {place}", flush=True)
    await consumer.stop()


asyncio.run(main(*sys.argv[1:]))
