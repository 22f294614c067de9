"""Writes orders with aiokafka: `python producer.py HOST:PORT < orders`."""

import asyncio
import json
import sys

import aiokafka

VERSION = f"aiokafka {aiokafka.__version__}"


async def write(address, order):
    settings = {
        "bootstrap_servers": address,
        "compression_type": None if order["codec"] == "none" else order["codec"],
        "linger_ms": 1000,
        "max_batch_size": 1 << 20,
        "enable_idempotence": order["idempotent"],
    }
    if order.get("acks") is not None:
        settings["acks"] = "all" if order["acks"] == -1 else order["acks"]
    if order["transactional"]:
        settings["transactional_id"] = order["topic"]
    async with aiokafka.AIOKafkaProducer(**settings) as producer:
        if order["transactional"]:
            async with producer.transaction():
                await send(producer, order)
        else:
            await send(producer, order)


async def send(producer, order):
    sent = [
        await producer.send(
            order["topic"],
            key=None if record["key"] is None else record["key"].encode(),
            value=None if record["value"] is None else record["value"].encode(),
            partition=0,
            timestamp_ms=record["timestamp"],
            headers=[(name, None if value is None else value.encode()) for name, value in record["headers"]] or None,
        )
        for record in order["records"]
    ]
    await asyncio.gather(*sent)


async def main():
    for order in json.load(sys.stdin):
        failures = []
        try:
            await asyncio.wait_for(write(sys.argv[1], order), 30)
        except Exception as error:
            failures = [f"{type(error).__name__}: {error}"]
        print(
            json.dumps({"order": order["name"], "version": VERSION, "failures": failures}),
            flush=True,
        )


asyncio.run(main())
