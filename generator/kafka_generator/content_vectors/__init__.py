"""Vectors of keys and values, made from the tables in vectors/cases/content.

- `cases`: the tables; `files`: the lines in vectors/content
- `oracle`: what Kafka's own deserializers say of them
"""
