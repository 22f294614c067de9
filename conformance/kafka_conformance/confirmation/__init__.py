"""Confirming findings outside the suite, with the library alone."""
