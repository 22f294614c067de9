"""kafka-python: what `KafkaConsumer.poll` gives a member of a group, which commits by itself.

Arguments: the broker's address, the topic, a file that is not read, the isolation level, settings
as `name=value`.
"""

import sys
import time

from kafka import KafkaConsumer
from lines import show, show_error

SECONDS = 6
LOGIN = {"security_protocol": "SASL_PLAINTEXT", "sasl_plain_username": "reader", "sasl_plain_password": "any"}
OFTEN: dict[str, str | int] = {
    "auto_commit_interval_ms": 100,
    "heartbeat_interval_ms": 100,
    "session_timeout_ms": 10_000,
}


def main(address: str, topic: str, _file: str, isolation: str, *given: str) -> None:
    settings = dict(pair.split("=", 1) for pair in given)
    more: dict[str, str | int] = {**LOGIN, "sasl_mechanism": settings["sasl"]} if "sasl" in settings else {}
    more |= {"group_id": settings["group"], **OFTEN} if "group" in settings else {}
    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=address,
        auto_offset_reset="earliest",
        isolation_level=isolation,
        group_instance_id=settings.get("instance"),
        **more,
    )
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            batches = consumer.poll(timeout_ms=100)
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
            show_error(error)
            continue
        for message in [message for messages in batches.values() for message in messages]:
            show(offset=message.offset, value=message.value)
    consumer.close()
    print("closed", flush=True)


main(*sys.argv[1:])
