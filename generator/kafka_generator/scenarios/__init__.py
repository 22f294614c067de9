"""Scenarios: vectors/scenarios, of tables in vectors/cases/scenarios and answers of real brokers.

- `files`: the vectors; `recording`: what releases of Kafka answered, and how they are asked
"""
