"""Held-out starts: random damage to real data directories, foretold first, and then started.

`python -m kafka_generator.recordings.starts.held_out` draws variants by a seed, has the reference
foretell what a start does, starts real Kafka, and writes both down. The variants of the family
`start` were chosen by people, and the reference was corrected against them; these were not.
"""
