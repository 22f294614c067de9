"""Brokers as targets: vectors sent to them with Produce, and what they keep and serve again.

- `connection`, `versions`: requests in order over one connection, by our own codec
- `own_topics`, `partitions`: the topics that the suite makes, and deletes
- `questions`: vectors as a producer sends them; `replies`: what came
- `session`: all of it together, on a broker that may hang up, hang or die
"""
