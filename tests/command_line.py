"""A command line as tests run it."""

import io
import sys
from collections.abc import Callable

import pytest

Main = Callable[..., tuple[int, str, str]]
"""Takes arguments, and `stdin` as bytes; gives the exit status, standard output and standard
error."""


def typed_in(
    program: Callable[[], None], name: str, patch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[str]
) -> Main:
    """Return what runs a program's `main` under that name."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        patch.setattr(sys, "argv", [name, *arguments])
        patch.setattr(sys, "path", [*sys.path])  # the folder of a `python:` function joins it
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            program()
        output = captured.readouterr()
        return int(ended.value.code or 0), output.out, output.err

    return run
