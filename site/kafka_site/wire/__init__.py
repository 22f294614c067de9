"""Requests, responses and schema records as one version of them stands on the wire."""
