"""Vectors from the wild: bytes of real producers, and what brokers stored, compacted or converted.

`python -m kafka_generator.recordings.wild` starts Apache Kafka brokers, one for each message
format, has each producer of `clients` write the `orders`, reads the segments, and stores them in
vectors/cases/wild.jsonl with the producer's name, version and settings; where an old broker stored
other bytes than it was sent, both. `python -m kafka_generator.recordings.wild.by_brokers` plays the
`scenes`, in which the broker itself writes. `case_file` writes that file. Nothing is drawn from our
own encoder: these bytes show what decoders meet.
"""
