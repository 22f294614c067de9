"""The vectors of the family `start`: sound data directories, and variants that are made of them.

What Kafka did on each is recorded by `python -m kafka_generator.recordings.starts`, which starts
real nodes.
"""
