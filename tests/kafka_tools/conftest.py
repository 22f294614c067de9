"""What tests of the tools share."""

import pytest
from kafka_tools import cli

from tests.command_line import Main, typed_in


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Main:
    """Runs `kafka-format`; gives the exit status, standard output and standard error."""
    return typed_in(cli.main, "kafka-format", monkeypatch, capsys)
