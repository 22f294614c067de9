"""A broker that serves bytes as they are to any Kafka client, and notes what the client sends.

A topic has one partition and is a run of bytes, right or wrong. Nothing is looked into on the way
out.
"""

from kafka_tools.server.server import Broker, running
from kafka_tools.server.settings import BrokerSettings
from kafka_tools.server.topics import Serving, Topic, Topics

__all__ = ["Broker", "BrokerSettings", "Serving", "Topic", "Topics", "running"]
