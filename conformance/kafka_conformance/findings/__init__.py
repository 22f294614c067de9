"""Bugs of the known targets, as data, and programs that confirm them outside the suite's adapters."""
