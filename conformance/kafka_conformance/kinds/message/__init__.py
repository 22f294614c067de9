"""Readers of requests and responses: the vectors of the protocol, and what comes of them."""
