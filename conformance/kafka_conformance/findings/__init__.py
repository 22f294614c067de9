"""Bugs of the known targets, as data, and programs that confirm them without an adapter."""
