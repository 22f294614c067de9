"""The command as tests call it."""

import sys
from collections.abc import Callable

import pytest
from kafka_conformance import cli


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Calls `kafka-conformance scale`; gives the exit status, standard output and standard
    error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["kafka-conformance", "scale", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        output = capsys.readouterr()
        return int(ended.value.code or 0), output.out, output.err

    return call
