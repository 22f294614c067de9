"""Writes orders with aiokafka: `python producer.py HOST:PORT < orders`."""

import asyncio
import contextlib
import json
import sys

import aiokafka
from producer_steps import take

VERSION = f"aiokafka {aiokafka.__version__}"


SOON = 8
FATAL = ("ProducerFenced", "InvalidProducerIdMapping", "IllegalOperation", "UnsupportedVersionError")


class Stepping:
    """The client in a conversation; its tasks run while it is waited for."""

    def __init__(self, address, order):
        self.loop, self.topic = asyncio.new_event_loop(), order["topic"]
        settings = {"bootstrap_servers": address, "linger_ms": 0, "enable_idempotence": order["idempotent"]}
        settings |= {"request_timeout_ms": 2000, "retry_backoff_ms": 50}
        if order["transactional"]:
            settings["transactional_id"] = order["topic"]
        asyncio.set_event_loop(self.loop)
        self.producer = self.run(self._made(settings))
        self.is_started = False

    async def _made(self, settings):
        return aiokafka.AIOKafkaProducer(**settings)

    def run(self, awaited):
        """Wait for something, but not for long."""
        return self.loop.run_until_complete(asyncio.wait_for(awaited, SOON))

    def init(self):
        """See `producer_steps.Producer`."""
        self.run(self.producer.start())
        self.is_started = True

    def begin(self):
        """See `producer_steps.Producer`."""
        self.run(self.producer.begin_transaction())

    def send(self, value):
        """See `producer_steps.Producer`."""
        if not self.is_started:
            self.init()
        sent = self.run(self.producer.send(self.topic, value.encode(), partition=0))
        return lambda: self.run(sent)

    def commit(self):
        """See `producer_steps.Producer`."""
        self.run(self.producer.commit_transaction())

    def abort(self):
        """See `producer_steps.Producer`."""
        self.run(self.producer.abort_transaction())

    def is_fatal(self, error):
        """See `producer_steps.Producer`."""
        return type(error).__name__.startswith(FATAL) or "Authorization" in type(error).__name__

    def close(self):
        """See `producer_steps.Producer`."""
        with contextlib.suppress(Exception):
            self.run(self.producer.stop())


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


def say(order, failures):
    print(json.dumps({"order": order["name"], "version": VERSION, "failures": failures}), flush=True)


async def main(orders):
    for order in orders:
        failures = []
        try:
            await asyncio.wait_for(write(sys.argv[1], order), 30)
        except Exception as error:
            failures = [f"{type(error).__name__}: {error}"]
        say(order, failures)


asked = json.load(sys.stdin)
for order in (order for order in asked if "steps" in order):
    say(order, take(Stepping(sys.argv[1], order), order["steps"], is_transactional=order["transactional"]))
asyncio.run(main([order for order in asked if "steps" not in order]))
