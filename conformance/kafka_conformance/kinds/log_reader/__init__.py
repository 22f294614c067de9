"""Readers of log directories: the vectors of files, and what they make of each.

- `questions`: the vectors, as they are asked; `session`: each is put with a fresh copy of its files
- `judge`: an answer held against Kafka's; `causes`: what findings come from
- `kind`: the row of the table
"""
