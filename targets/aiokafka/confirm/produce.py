"""aiokafka: what `AIOKafkaProducer.send` sends.

Arguments: the broker's address, the topic, the records, the codec, the release.
"""

import asyncio
import sys

from aiokafka import AIOKafkaProducer
from lines import show_error
from records import given

LINGER_MS = 500
"""How long the producer waits for more records: they are to go out together."""

SECONDS = 10
"""How long it tries to send what a broker refuses."""


async def main(address: str, topic: str, file: str, codec: str) -> None:
    compression = None if codec == "none" else codec
    async with AIOKafkaProducer(
        bootstrap_servers=address,
        compression_type=compression,
        linger_ms=LINGER_MS,
        enable_idempotence=False,
        request_timeout_ms=SECONDS * 1000,
    ) as producer:
        try:
            sent = [
                await producer.send(
                    topic,
                    partition=0,
                    key=record.key,
                    value=record.value,
                    timestamp_ms=record.timestamp,
                    headers=record.headers or None,
                )
                for record in given(file)
            ]
            await asyncio.gather(*sent)
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
            show_error(error)


asyncio.run(main(*sys.argv[1:5]))
