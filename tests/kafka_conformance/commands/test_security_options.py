"""How a broker is spoken to: what goes together, and where a password may stand."""

import pytest
from click.testing import CliRunner
from kafka_conformance.cli import group
from kafka_tools.errors import UsageError

NOWHERE = "broker:127.0.0.1:1"


def run(*options, environment=None):
    """What the command says, and the error that it ends with."""
    asked = ["run", NOWHERE, "--about", "scenarios", *options]
    done = CliRunner().invoke(group, asked, env=environment or {"KAFKA_PASSWORD": None})
    assert isinstance(done.exception, UsageError | SystemExit), done.exception
    return f"{done.output} {done.exception}"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--user", "ann"], "--user and --password-file go with --sasl"),
        (["--sasl", "PLAIN"], "--sasl PLAIN needs a user"),
        (["--sasl", "PLAIN", "--user", "ann"], "there is no password"),
        (["--sasl", "DIGEST-MD5", "--user", "ann"], "is not one of"),
        (["--tls-ca", __file__], "--tls-ca and --tls-cert go with --tls"),
        (["--tls", "--tls-ca", __file__], "the certificates cannot be read"),
        (["--tls", "--tls-cert", __file__], "the certificates cannot be read"),
        (["--password-file", "no-such-file"], "does not exist"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(options, words):
    assert words in run(*options)


def test_a_password_comes_from_a_file_or_the_environment(tmp_path):
    file = tmp_path / "password"
    file.write_text("s\u00e4cret\n", encoding="utf-8")
    for said in (
        run("--sasl", "PLAIN", "--user", "ann", "--password-file", str(file)),
        run("--sasl", "PLAIN", "--user", "ann", environment={"KAFKA_PASSWORD": "s\u00e4cret"}),
    ):
        assert "is not to be reached" in said
        assert "s\u00e4cret" not in said


def test_a_file_that_is_no_text_is_no_password(tmp_path):
    file = tmp_path / "password"
    file.write_bytes(b"\xff\xfe")
    assert "the password cannot be read" in run("--sasl", "PLAIN", "--user", "a", "--password-file", str(file))
