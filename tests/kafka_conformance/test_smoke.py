import pytest
from kafka_conformance.launch import Limits
from kafka_conformance.smoke import Step, smoke
from kafka_conformance.targets import resolve

from tests.kafka_conformance.toys import command

QUICK = Limits(seconds=0.5, start_seconds=10, memory=1 << 30)


def look(name: str, limits: Limits = QUICK) -> list[Step]:
    return list(smoke(command(name), limits))


def test_reference_passes_every_step() -> None:
    found = resolve.contestant("reference").command
    assert found is not None
    steps = list(smoke(found, Limits()))
    assert [step.name for step in steps] == ["hello", "one batch", "one refusal", "three blocks", "end"]
    assert all(step.passed for step in steps)


@pytest.mark.parametrize(
    ("name", "step", "words"),
    [
        ("silent", "hello", "gave no reply for 0.3 s. Does it flush standard output after each reply"),
        ("never_starts", "hello", "status 4; on standard error: no toy here. Run the same command by hand"),
        ("logs_on_standard_output", "hello", "'INFO starting up'; log to standard error"),
        ("hello_is_no_json", "hello", "sent a hello that is not JSON"),
        ("serve", "one batch", "It refuses two plain records (00000000"),
        ("accepts_everything", "one batch", "records[0].offset is 0, not 7"),
        ("supports_nothing", "one batch", "does not support what it declares: not in this library"),
        ("answer_cut_short", "one batch", "its answer cannot be read"),
        ("unknown_status", "one batch", "status 9"),
        ("answers_too_few", "one batch", "gave 0 results for the 1 inputs"),
        ("crashes_on_everything", "one batch", "exited with status 1"),
    ],
)
def test_fault_is_told_in_words_and_ends_the_look(name: str, step: str, words: str) -> None:
    limits = Limits(seconds=0.5, start_seconds=0.3) if name == "silent" else QUICK
    last = look(name, limits)[-1]
    assert (last.name, last.passed) == (step, False)
    assert words in last.words
