"""The loops that numba compiles.

Only numba_loader.py imports this module. Everything is compiled then, or taken from numba's cache.
"""

from kafka_format.columnar.numba_entries import find_batches, find_entries
from kafka_format.columnar.numba_records import are_ascii, read_records

__all__ = ["are_ascii", "find_batches", "find_entries", "read_records"]
