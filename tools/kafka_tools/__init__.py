"""Apache Kafka's bytes shown to people: records, requests and responses, captures, log directories.

The command `kafka-format`. It shows bytes and what Kafka does with them, and judges no decoder:
that is `kafka_conformance`, which this package never imports.
"""
