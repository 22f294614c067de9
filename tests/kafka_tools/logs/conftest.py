"""The directories of real brokers, unpacked once."""

from tests.kafka_format.log.conftest import directory

__all__ = ["directory"]
