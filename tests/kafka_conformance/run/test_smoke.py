import re
import subprocess
import sys
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.run.smoke import Step, smoke
from kafka_conformance.targets import resolve
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.folders import TEMPLATES

from tests.kafka_conformance.miniature_targets import command

PATIENT = Limits(seconds=60, start_seconds=60)


def look(name: str, limits: Limits = PATIENT) -> list[Step]:
    return list(smoke(Candidate(name, command(name)), limits))


def test_reference_passes_every_step() -> None:
    steps = list(smoke(resolve.candidate("reference"), Limits()))
    own = [f"{kind}: {step}" for kind in ("log_reader", "serde") for step in ("one question", "and again", "end")]
    names = ["hello", "one batch", "one refusal", "three blocks", "one message", "end", *own]
    assert [step.name for step in steps] == names
    assert all(step.passed for step in steps)


@pytest.mark.parametrize(
    ("name", "step", "words"),
    [
        ("silent", "hello", "gave no reply for 0.3 s. Does it flush standard output after each reply"),
        ("never_starts", "hello", "status 4; on standard error: no toy here. Start it by hand"),
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
    limits = Limits(start_seconds=0.3) if name == "silent" else PATIENT
    last = look(name, limits)[-1]
    assert (last.name, last.passed) == (step, False)
    assert words in last.words


def served(folder: Path, body: str, hello: str = "{}") -> Step:
    """The last step of a look at a Python function that starts from the reference."""
    (folder / "mine.py").write_text(
        f"from kafka_format import records\nHELLO = {hello}\nseen = []\n"
        f"def decode(data):\n    seen.append(data)\n{body}",
        encoding="ascii",
    )
    program = Command((sys.executable, "-m", "kafka_conformance", "adapter", "python:mine:decode"), folder)
    return list(smoke(Candidate("mine", program), PATIENT, "mine:decode"))[-1]


def test_decoder_that_overlooks_one_damage_is_let_off_with_a_word(tmp_path: Path) -> None:
    body = "    return records.decode(data) if len(seen) != 2 else []\n"
    assert served(tmp_path, body).name == "end"


@pytest.mark.parametrize(
    ("hello", "words"),
    [
        ("{}", "It accepts a flipped bit, a size of 0, a negative size and an unknown magic."),
        ("{'checks_crc': False}", "It accepts a size of 0, a negative size and an unknown magic."),
    ],
)
def test_decoder_that_refuses_no_damage_is_told(tmp_path: Path, hello: str, words: str) -> None:
    last = served(tmp_path, "    return records.decode(seen[0])\n", hello)
    assert (last.name, last.passed) == ("one refusal", False)
    assert last.words.startswith(words)
    assert "turned into status 1" in last.words


def test_decoder_that_dies_of_damage_is_told(tmp_path: Path) -> None:
    body = "    import os\n    return records.decode(data) if len(seen) < 2 else os.abort()\n"
    last = served(tmp_path, body)
    assert (last.name, last.passed) == ("one refusal", False)
    assert "was killed by SIGABRT" in last.words


def test_function_that_dies_of_plain_records_is_told_with_the_call_that_shows_it(tmp_path: Path) -> None:
    last = served(tmp_path, "    import os\n    os._exit(3)\n")
    assert (last.name, last.passed) == ("one batch", False)
    assert last.words.startswith("The adapter exited with status 3")
    call = re.search(r"python -c '(.*)'$", last.words)
    assert call is not None
    done = subprocess.run([sys.executable, "-c", call[1]], cwd=tmp_path, check=False)
    assert done.returncode == 3


def test_module_that_dies_while_it_is_imported_is_told(tmp_path: Path) -> None:
    last = served(tmp_path, "    pass\nimport os\nos._exit(3)\n")
    assert (last.name, last.passed) == ("hello", False)
    assert "`python -c 'import mine'`" in last.words


def test_print_in_a_function_is_no_reply(tmp_path: Path) -> None:
    assert served(tmp_path, "    print('INFO')\n    return records.decode(data)\n").name == "end"


def test_print_in_a_module_is_no_reply(tmp_path: Path) -> None:
    assert served(tmp_path, "    return records.decode(data)\nprint('INFO')\n").name == "end"


@pytest.mark.parametrize(
    ("line", "step", "words"),
    [
        ("replies.write(2 * frame)", "one refusal", "which was not asked or was already answered"),
        ("replies.write(b'INFO got one\\n' + frame)", "one batch", "log to standard error"),
        ("replies.write(frame[:4] + b'D' + bytes([0, 0, 18, 103]) + frame[9:])", "one batch", "answered block 4711"),
        ("replies.write(frame[:-3])", "one batch", "stopped in the middle of a reply"),
        ("replies.write(frame[3::-1] + frame[4:])", "one batch", "claims a reply of"),
    ],
)
def test_adapter_that_is_out_of_step_is_told(tmp_path: Path, line: str, step: str, words: str) -> None:
    """The reference's own loop, but for one line."""
    script = tmp_path / "adapter.py"
    script.write_text(
        "import sys\nfrom kafka_conformance.serving import loop, reference\n"
        "from kafka_conformance.protocol import frames\nserved, replies = reference.reference(), sys.stdout.buffer\n"
        "while head := sys.stdin.buffer.read(4):\n"
        "    body = sys.stdin.buffer.read(int.from_bytes(head, 'big'))\n"
        "    frame = frames.frame(loop._reply(served, body, partial=False))\n"
        "    if body[:1] == b'H':\n        replies.write(frame)\n"
        f"    else:\n        {line}\n"
        "    replies.flush()\n",
        encoding="ascii",
    )
    limits = Limits(seconds=3) if "-3" in line else PATIENT  # a reply that is cut short is waited for
    last = list(smoke(Candidate("it", Command((sys.executable, str(script)))), limits))[-1]
    assert (last.name, last.passed) == (step, False)
    assert words in last.words


@pytest.mark.parametrize(
    ("body", "passed", "words"),
    [
        ("return data", True, "an ApiVersions response came back as it should, and cut was accepted"),
        ("return data + b'x'", False, "a Metadata request (000300010000000700026d6500000001"),
        ("raise NotSupported('no')", True, "not tried: it supports neither a Metadata request nor an"),
        ("raise ValueError('no')", False, "a Metadata request (000300010000000700026d65"),
    ],
)
def test_requests_and_responses(body: str, passed: bool, words: str, tmp_path: Path) -> None:
    """Of a target that reads no records, and says so."""
    template = TEMPLATES["python"]["decoder"].read_text(encoding="utf-8")
    (tmp_path / "python_adapter.py").write_text(template, encoding="utf-8")
    (tmp_path / "mine.py").write_text(
        "from python_adapter import NotSupported, serve\n"
        f"def message(kind, api, version, data):\n    {body}\n"
        "hello = {'name': 'mine', 'version': '1', 'language': 'Python', 'formats': [], 'codecs': [], 'fields': [],\n"
        "         'checks_crc': False, 'directions': [], 'apis': {'form': 'bytes'}}\n"
        "serve(hello, None, None, message)\n",
        encoding="ascii",
    )
    steps = list(smoke(Candidate("mine", Command((sys.executable, "mine.py"), tmp_path)), PATIENT))
    step = next(step for step in steps if step.name == "one message")
    assert step.passed is passed
    assert words in step.words
