"""The command line as tests run it."""

from collections.abc import Callable

Main = Callable[..., tuple[int, str, str]]
"""Takes arguments, and `stdin` as bytes; gives the exit status, standard output and standard
error."""
