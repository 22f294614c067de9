"""Write a transaction with aiokafka, and read it as a member of a group."""

import asyncio
import sys

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

TOPIC = "orders-aiokafka"


async def main(address: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=address, client_id="aiokafka-admin")
    await admin.start()
    await admin.create_topics([NewTopic(TOPIC, 1, 1)])
    producer = AIOKafkaProducer(bootstrap_servers=address, client_id="aiokafka-writer", transactional_id="tx-aiokafka")
    await producer.start()
    async with producer.transaction():
        await producer.send_and_wait(TOPIC, b"order 1", key=b"k1")
        await producer.send_and_wait(TOPIC, b"order 2", key=b"k2", headers=[("n", b"2")])
    await producer.stop()
    consumer = AIOKafkaConsumer(
        TOPIC,
        bootstrap_servers=address,
        client_id="aiokafka-reader",
        group_id="group-aiokafka",
        auto_offset_reset="earliest",
        isolation_level="read_committed",
        enable_auto_commit=False,
    )
    await consumer.start()
    messages = [await consumer.getone() for _ in range(2)]
    await consumer.commit()
    await asyncio.sleep(4)
    await consumer.stop()
    await admin.list_consumer_groups()
    await admin.describe_consumer_groups(["group-aiokafka"])
    await admin.list_consumer_group_offsets("group-aiokafka")
    await admin.close()
    print(len(messages))


asyncio.run(asyncio.wait_for(main(sys.argv[1]), 60))
