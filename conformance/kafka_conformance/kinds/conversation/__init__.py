"""Conversations as vectors: what a broker answers in order, and what a client must do next.

- `script`: a conversation as data; `questions`: those that a client is asked
- `server`, `answers`, `frame_faults`: what the broker does to its answers
- `requests_seen`: what a client did; `dialog`: a conversation with one client, from begin to end
- `session`: a client that is started again when it dies; `verdict`: what it did wrong
"""
