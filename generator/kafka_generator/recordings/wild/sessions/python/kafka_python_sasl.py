"""Log in with kafka-python, with PLAIN and SCRAM, and ask for topics."""

import sys

from kafka import KafkaConsumer
from kafka.errors import KafkaError


def main(address: str) -> None:
    for mechanism in ("PLAIN", "SCRAM-SHA-256"):
        try:
            consumer = KafkaConsumer(
                bootstrap_servers=address,
                client_id="kafka-python-sasl",
                security_protocol="SASL_PLAINTEXT",
                sasl_mechanism=mechanism,
                sasl_plain_username="alice",
                sasl_plain_password="not-secret",
            )
            print(len(consumer.topics()))
            consumer.close()
        except KafkaError as error:
            print(error)


main(sys.argv[1])
