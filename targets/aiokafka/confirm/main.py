"""aiokafka: what `AIOKafkaConsumer.getone` gives of a partition.

Arguments: the broker's address, the topic, a file that is not read, perhaps the isolation level,
`group=NAME` and `sasl=PLAIN`.
"""

import asyncio
import sys

from aiokafka import AIOKafkaConsumer, TopicPartition
from lines import show, show_error

_QUIET = 2.0  # seconds without a record after which there are no more


async def main(address: str, topic: str, _file: str, isolation: str = "read_uncommitted", *given: str) -> None:
    said = dict(pair.split("=", 1) for pair in given)
    group = said.get("group")
    settings = {"auto_offset_reset": "earliest", "enable_auto_commit": False, "isolation_level": isolation}
    if "sasl" in said:
        settings |= {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": said["sasl"]}
        settings |= {"sasl_plain_username": "somebody", "sasl_plain_password": "secret"}
    consumer = AIOKafkaConsumer(bootstrap_servers=address, group_id=group, **settings)
    if group:
        consumer.subscribe([topic])
    await consumer.start()
    try:
        if not group:
            consumer.assign([TopicPartition(topic, 0)])
        while True:
            message = await asyncio.wait_for(consumer.getone(), _QUIET)
            show(
                offset=message.offset,
                timestamp=message.timestamp,
                type=message.timestamp_type,
                key=message.key,
                value=message.value,
            )
    except TimeoutError:
        pass
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
        show_error(error)
    finally:
        await consumer.stop()


asyncio.run(main(*sys.argv[1:]))
