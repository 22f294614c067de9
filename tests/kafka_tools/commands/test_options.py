"""What people paste, on the command line: the table that the page is held to, too."""

import pytest
from kafka_tools.commands import options
from kafka_tools.commands.options import from_text
from kafka_tools.errors import UsageError

from tests.pastes import PASTES, REFUSED


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_bytes_is_wrong_usage(name: str) -> None:
    text, expected = REFUSED[name]
    with pytest.raises(UsageError) as refused:
        from_text(text)
    assert expected in str(refused.value)


@pytest.mark.parametrize("name", PASTES)
def test_bytes_are_read_and_doubts_go_to_standard_error(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    paste = PASTES[name]
    assert from_text(paste.text).hex() == paste.bytes
    assert paste.note in capsys.readouterr().err


def test_a_pipe_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_LONGEST_STREAM", 1 << 20)
    with pytest.raises(UsageError, match="this goes on after 1 MiB"):
        options.read_input("/dev/zero", None)
