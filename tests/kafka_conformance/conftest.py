"""What tests of the suite's package share."""

import pytest
from kafka_conformance import cli

from tests.command_line import Main, typed_in


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Main:
    """Runs `kafka-conformance`; gives the exit status, standard output and standard error."""
    return typed_in(cli.main, "kafka-conformance", monkeypatch, capsys)
