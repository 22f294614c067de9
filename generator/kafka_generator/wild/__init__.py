"""Vectors from the wild: bytes that real producers wrote, and a real broker stored.

`python -m kafka_generator.wild` starts an Apache Kafka broker, has each producer of `clients` write
the `orders`, reads the segments, and stores them in vectors/cases/wild.jsonl with the producer's
name, version and settings. `stored` turns that file into cases. Nothing is drawn from our own
encoder: these bytes show what decoders meet.
"""
