"""Kafka's own message classes as the judge of the protocol: bytes in, Kafka's bytes of them out.

It needs a JDK, and the jars that `make schemas` fetches.
"""

from kafka_generator.kafka_judge.content_judge import ContentJudge, ContentQuestion
from kafka_generator.kafka_judge.judge import Judge, Question, Reply, Status, missing
from kafka_generator.kafka_judge.old_judge import OldJudge, OldQuestion
from kafka_generator.kafka_judge.record_judge import RecordJudge, RecordQuestion

__all__ = [
    "ContentJudge",
    "ContentQuestion",
    "Judge",
    "OldJudge",
    "OldQuestion",
    "Question",
    "RecordJudge",
    "RecordQuestion",
    "Reply",
    "Status",
    "missing",
]
