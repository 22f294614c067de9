"""Bugs of the known targets, as data."""
