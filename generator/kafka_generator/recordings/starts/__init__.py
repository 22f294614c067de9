"""Starts of real Kafka nodes on data directories: the oracle of the vectors of the family `start`.

`python -m kafka_generator.recordings.starts` copies a directory that Kafka made, changes it as a
variant says, starts Kafka on it, and records what came: whether it serves, ends, or is never ready,
and what became of the files.
"""
