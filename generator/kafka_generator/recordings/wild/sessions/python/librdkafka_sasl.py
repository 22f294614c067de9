"""Log in with librdkafka, with PLAIN, SCRAM and a wrong password, and ask for the cluster."""

import sys

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient


def main(address: str) -> None:
    for mechanism, password in (("PLAIN", "not-secret"), ("SCRAM-SHA-256", "not-secret"), ("PLAIN", "wrong")):
        admin = AdminClient(
            {
                "bootstrap.servers": address,
                "client.id": "librdkafka-sasl",
                "security.protocol": "SASL_PLAINTEXT",
                "sasl.mechanism": mechanism,
                "sasl.username": "alice",
                "sasl.password": password,
                "log_level": 0,
            }
        )
        try:
            print(len(admin.list_topics(timeout=4).brokers))
        except KafkaException as error:
            print(error)


main(sys.argv[1])
