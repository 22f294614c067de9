"""Kinds of targets: a folder each, with its questions, its session, its judge and its causes.

- `decoder`: bytes to records, and records to bytes
- `message`: requests, responses, and records of Kafka's own topics
- `consumer`: a whole consumer, with a broker that serves the vectors
- `conversation`: a whole consumer, with a broker that misbehaves by a script
- `producer`: a whole producer, with a broker that keeps what it gets
- `broker`: a broker that is sent the vectors and asked for them again
- `log_reader`: a reader of log directories
- `serde`: what reads keys and values: framings of schema registries, and Kafka's own serializers
"""
