"""Producers as targets: what they send for given records and settings, judged as encoders.

- `questions`: orders to write; `driver`: a producer behind the adapter protocol
- `session`: orders put to a producer; `sending`: what it sent; `verdict`: what is wrong with that
"""
