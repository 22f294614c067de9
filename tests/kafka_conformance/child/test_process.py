"""Every way in which a child goes wrong is reported as what it is, and nothing is left running."""

import re
import sys
import time
from pathlib import Path

import pytest
from kafka_conformance.child import clock, process
from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.clock import Scheduled
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.process import AdapterProcess
from kafka_conformance.errors import StoppedError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Status
from kafka_tools.system.resources import resident_bytes

from tests.kafka_conformance.miniature_targets import PATIENT, command, limits


def lost_on(name: str, data: bytes = b"\x07") -> TargetLostError:
    """Ask a miniature for one answer and give back how it was lost."""
    with AdapterClient(command(name), limits(name)) as client:
        client.put_decode([b"\x01"])
        client.receive()
        client.put_decode([data])
        with pytest.raises(TargetLostError) as caught:
            client.receive()
        return caught.value


def lost_at_start(name: str, allowed: Limits = PATIENT) -> TargetLostError:
    with pytest.raises(TargetLostError) as caught:
        AdapterClient(command(name), allowed)
    return caught.value


@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("crashes", Outcome.CRASHED, "was killed by SIGSEGV (Segmentation fault)"),
        ("exits_with_3", Outcome.CRASHED, "exited with status 3; on standard error: the toy has broken"),
        ("exits_with_0_half_way", Outcome.CRASHED, "exited with status 0 before it had answered"),
        ("dies_in_mid_reply", Outcome.CRASHED, "exited with status 1 (7 bytes of a reply had come)"),
        ("hangs", Outcome.HUNG, "gave no reply for 0.6 s"),
        ("spins", Outcome.HUNG, "gave no reply for 0.6 s"),
        ("eats_memory", Outcome.OUT_OF_MEMORY, "the limit is 150 MiB"),
        ("child_eats_memory", Outcome.OUT_OF_MEMORY, "the limit is 150 MiB"),
        (
            "logs_on_poison",
            Outcome.BROKEN_PROTOCOL,
            "wrote text to standard output, which is for replies only: 'WARN poison found'",
        ),
        ("prints_rubbish", Outcome.BROKEN_PROTOCOL, "(it starts ff 00 1b 07 9c 01"),
        ("replies_without_end", Outcome.BROKEN_PROTOCOL, "answered block 4711, which was not asked"),
        ("one_reply_without_end", Outcome.HUNG, "stopped in the middle of a reply for 0.6 s"),
        ("partial_without_declaring_it", Outcome.BROKEN_PROTOCOL, "sent status 3 in the reply to block 2"),
        ("partial_that_cannot_be_read", Outcome.BROKEN_PROTOCOL, "that cannot be read"),
        ("claims_2_gib", Outcome.BROKEN_PROTOCOL, "claims a reply of 2147483647 bytes"),
        ("claims_a_negative_length", Outcome.BROKEN_PROTOCOL, "claims a reply of -2 bytes"),
        ("closes_standard_output", Outcome.BROKEN_PROTOCOL, "closed its standard output and went on running"),
    ],
)
def test_fault_is_reported_as_what_it_is(name: str, outcome: Outcome, words: str) -> None:
    lost = lost_on(name)
    assert lost.outcome is outcome
    assert words in lost.detail


@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("never_starts", Outcome.CRASHED, "exited with status 4; on standard error: no toy here"),
        ("logs_on_standard_output", Outcome.BROKEN_PROTOCOL, "'INFO starting up'; log to standard error"),
        ("hello_is_no_json", Outcome.BROKEN_PROTOCOL, "sent a hello that is not JSON"),
        ("hello_of_protocol_2", Outcome.BROKEN_PROTOCOL, "wrong at $.protocol: 1 was expected"),
        ("hello_without_formats", Outcome.BROKEN_PROTOCOL, "'formats' is a required property"),
    ],
)
def test_fault_before_hello_is_reported_as_what_it_is(name: str, outcome: Outcome, words: str) -> None:
    lost = lost_at_start(name)
    assert lost.outcome is outcome
    assert words in lost.detail


@pytest.mark.parametrize("name", ["silent", "deaf"])
def test_no_hello_is_a_hang(name: str) -> None:
    lost = lost_at_start(name, Limits(start_seconds=0.3))
    assert lost.outcome is Outcome.HUNG
    assert lost.detail == "gave no reply for 0.3 s"


def put_three(client: AdapterClient) -> None:
    for _ in range(3):
        client.put_decode([b"\x01"])
        client.receive()


def test_program_that_does_not_exist_is_a_loss_with_its_name() -> None:
    with pytest.raises(TargetLostError, match="/nonexistent/decoder cannot be started: No such file"):
        AdapterClient(Command(("/nonexistent/decoder",)), PATIENT)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("answers_twice", "answered block 2, which was not asked or was already answered"),
        ("answers_another_block", "answered block 4711, which was not asked or was already answered"),
        ("answers_too_few", "gave 0 results for the 1 inputs of block 1"),
        ("unknown_status", "status 9 for input 0 of block 1"),
    ],
)
def test_reply_that_does_not_fit_the_request_breaks_the_protocol(name: str, words: str) -> None:
    with AdapterClient(command(name), PATIENT) as client, pytest.raises(TargetLostError) as caught:
        put_three(client)
    assert caught.value.outcome is Outcome.BROKEN_PROTOCOL
    assert re.search(words.replace("block 2", r"block \d"), caught.value.detail)


def test_blocks_may_be_answered_in_any_order() -> None:
    with AdapterClient(command("answers_backwards"), PATIENT) as client:
        first, second = client.put_decode([b"\x01"]), client.put_decode([b"\x02", b"\x03"])
        replies = dict(client.receive() for _ in range(2))
    assert [len(replies[first]), len(replies[second])] == [1, 2]


def test_flood_on_standard_error_stops_nothing() -> None:
    with AdapterClient(command("floods_standard_error"), PATIENT) as client:
        client.put_decode([b"\x07"] * 5)
        _, replies = client.receive(seconds=60)
    assert [reply.status for reply in replies] == [Status.ANSWER] * 5


def test_full_pipes_in_both_directions_do_not_deadlock() -> None:
    """Far more than a pipe holds (64 KiB) is outstanding each way before the first reply is
    read."""
    megabyte = bytes(64) * 1024
    with AdapterClient(command("accepts_everything"), PATIENT) as client:
        blocks = [client.put_decode([megabyte] * 4) for _ in range(4)]
        answered = {client.receive(seconds=60)[0] for _ in blocks}
    assert answered == set(blocks)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("accepts_everything", None),
        ("lingers", "was still running 2 s after the end of its input"),
        ("exits_with_5_at_the_end", "exited with status 5 at the end of its input; it should be 0"),
        ("talks_at_the_end", "wrote 3 bytes that no request asked for"),
    ],
)
def test_last_moments_are_looked_at(name: str, complaint: str | None) -> None:
    client = AdapterClient(command(name), PATIENT)
    assert client.close() == ([complaint] if complaint else [])


def test_lost_child_takes_its_own_children_with_it() -> None:
    """It is lost once it says something else than a hello, when it has started its own child."""
    script = "import subprocess as s, sys; p = s.Popen(['sleep', '600']); print(p.pid, file=sys.stderr);"
    script += "print('no hello', flush=True); sys.stdin.read()"
    with pytest.raises(TargetLostError) as caught:
        AdapterClient(Command((sys.executable, "-S", "-c", script)), PATIENT)
    grandchild = int(caught.value.detail.rsplit(maxsplit=1)[-1])
    deadline = time.monotonic() + 60
    while resident_bytes(grandchild) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert resident_bytes(grandchild) == 0


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc to find the processes of a target in")
def test_daemon_of_a_child_does_not_outlive_it(tmp_path: Path) -> None:
    """It has a session of its own, and its parent has ended."""
    file = tmp_path / "pid"
    daemon = "import os, subprocess as s, sys; p = s.Popen(['sleep', '600'], start_new_session=True);"
    daemon += "open(sys.argv[1], 'w').write(str(p.pid))"
    script = "import subprocess as s, sys; s.run([sys.executable, '-S', '-c', *sys.argv[1:]]); sys.stdin.read()"
    child = AdapterProcess(Command((sys.executable, "-S", "-c", script, daemon, str(file))), PATIENT)
    while not file.exists() or not file.read_text():
        time.sleep(0.01)
    assert resident_bytes(int(file.read_text())) > 0
    child.close()
    deadline = time.monotonic() + 60
    while resident_bytes(int(file.read_text())) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert resident_bytes(int(file.read_text())) == 0


def test_child_that_had_no_processor_is_not_hung(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes four times its limit, and the system says that it was in the queue for a processor
    meanwhile."""
    monkeypatch.setattr(process, "threads", lambda pid: {pid: Scheduled(0.0, time.monotonic())})
    monkeypatch.setattr(clock, "SLOWEST", 1000)
    with AdapterClient(command("answers_late"), PATIENT) as client:
        client.put_decode([b"\x07"])
        assert len(client.receive(0.3)[1]) == 1


def test_child_that_sleeps_as_long_is_hung() -> None:
    with AdapterClient(command("answers_late", "600"), PATIENT) as client:
        client.put_decode([b"\x07"])
        with pytest.raises(TargetLostError, match=r"gave no reply for 0\.3 s"):
            client.receive(0.3)


def test_wish_to_stop_ends_the_wait() -> None:
    wishes: list[str] = []
    client = AdapterClient(command("hangs"), Limits(seconds=60), lambda: bool(wishes))
    client.put_decode([b"\x07"])
    wishes.append("stop")
    with pytest.raises(StoppedError):  # and not TargetLost
        client.receive()
    assert client.close() == []
