"""Vectors of log directories: small folders and single files, what breaks a rule in them, and what Kafka makes of them.

- `building`: logs and files put together; `directories`, `single_files`: the cases
- `oracle`: Kafka's own classes, asked; `files`: the vectors as they are stored
- `mutants`: readers that are wrong on purpose, each of which a vector shows
"""
