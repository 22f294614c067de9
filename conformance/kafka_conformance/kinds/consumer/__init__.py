"""Consumers as targets: vectors served to them by a broker, and what their applications get."""
