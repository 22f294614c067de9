import sys

import pytest
from kafka_conformance.targets import manifest, resolve
from kafka_conformance.targets.installation import Installation
from kafka_tools.errors import UsageError


def test_program_with_arguments_is_split_as_a_shell_would() -> None:
    command = resolve.candidate(f"cmd:{sys.executable} -c 'import this' --flag").command
    assert command is not None
    assert command.arguments == (sys.executable, "-c", "import this", "--flag")


def test_python_function_is_served_by_our_own_interpreter() -> None:
    command = resolve.candidate("python:a.b:decode").command
    assert command is not None
    assert command.arguments == (sys.executable, "-m", "kafka_conformance", "adapter", "python:a.b:decode")


def test_version_is_chosen_with_an_at() -> None:
    clients = manifest.load_all()["kafka-clients"]
    assert resolve.installation("kafka-clients") == Installation(clients, clients.version)
    other = clients.versions[0]
    assert resolve.installation(f"kafka-clients@{other}") == Installation(clients, other)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("kafka-pyton", r"there is no target 'kafka-pyton'\. Did you mean kafka-python"),
        ("qqqqq", r"there is no target 'qqqqq'\. `kafka-conformance targets` lists them\. .*'cmd:PROGRAM ARGS'"),
        ("", r"there is no target ''\. `kafka-conformance targets` lists them"),
        ("kio@9.9", r"kio is not pinned in version 9\.9\. Pinned: "),
        ("cmd:", "`cmd:` needs a program"),
        ("cmd:./no-such-decoder --x", r"there is no program '\./no-such-decoder'"),
        ("cmd:unbalanced 'quote", "cannot read .* as a command: No closing quotation"),
    ],
)
def test_what_cannot_be_meant_is_told_with_what_to_do(target: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        resolve.candidate(target)


def test_target_that_is_not_installed_has_a_problem_and_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    candidate = resolve.candidate("kafka-clients")
    assert candidate.command is None
    assert candidate.problem.startswith("java is not on the PATH; ")
    assert candidate.issues.startswith("https://")
