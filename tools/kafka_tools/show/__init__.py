"""Bytes on a screen, on a page and as JSON: annotated dumps, captures, requests and responses."""
