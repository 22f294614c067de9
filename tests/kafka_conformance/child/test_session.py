"""A question that kills the target is found among many, and all the others get their answers."""

from pathlib import Path

import pytest
from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.losses import FEW, GIVE_UP
from kafka_conformance.child.session import BLOCK, AdapterSession, DecodeInput, Loss, Reaction
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import InputKind, Reply, Status

from tests.kafka_conformance.miniature_targets import PATIENT, command, limits

POISON = b"\x07"


def questions(count: int, *poisoned: int) -> list[DecodeInput]:
    data = [POISON if index in poisoned else bytes([1 + index % 5]) for index in range(count)]
    return [DecodeInput(InputKind.RECORDS, item) for item in data]


def ask(name: str, asked: list[DecodeInput], *arguments: str) -> tuple[dict[int, Reaction], AdapterSession]:
    session = AdapterSession(lambda: AdapterClient(command(name, *arguments), limits(name)))
    words = list(session.ask(asked))
    session.close()
    assert len(words) == len({word.question for word in words})
    return {word.question: word for word in words}, session


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("crashes", Outcome.CRASHED),
        ("exits_with_0_half_way", Outcome.CRASHED),
        ("hangs", Outcome.HUNG),
        ("claims_2_gib", Outcome.BROKEN_PROTOCOL),
    ],
)
def test_killers_are_found_among_many(name: str, outcome: Outcome) -> None:
    killers = (3, BLOCK * 3 + 1)
    words, session = ask(name, questions(BLOCK * 5 + 7, *killers))
    lost = {index: word.reply.outcome for index, word in words.items() if isinstance(word.reply, Loss)}
    assert lost == dict.fromkeys(killers, outcome)
    answered = [word.reply.status for word in words.values() if isinstance(word.reply, Reply)]
    assert answered == [Status.ANSWER] * (BLOCK * 5 + 5)
    assert session.notes == []


def test_replies_belong_to_their_questions() -> None:
    asked = questions(BLOCK * 2, 5)
    words, _ = ask("crashes", asked)
    offsets = {index: word.reply.content[11] for index, word in words.items() if isinstance(word.reply, Reply)}
    assert offsets == {index: asked[index].data[0] for index in range(BLOCK * 2) if index != 5}


def test_fresh_processes_have_seen_no_other_question() -> None:
    """The miniature dies of the second question that a process is put, whatever it is."""
    session = AdapterSession(lambda: AdapterClient(command("dies_of_the_second"), PATIENT))
    words = list(session.ask_afresh(questions(5)))
    session.close()
    assert [word.question for word in words] == list(range(5))
    assert all(isinstance(word.reply, Reply) for word in words)


def test_many_killers_afresh_are_no_reason_to_give_up() -> None:
    session = AdapterSession(lambda: AdapterClient(command("crashes"), PATIENT))
    words = list(session.ask_afresh([DecodeInput(InputKind.RECORDS, POISON)] * (GIVE_UP + 2)))
    session.close()
    assert [word.reply.outcome for word in words if isinstance(word.reply, Loss)] == [Outcome.CRASHED] * (GIVE_UP + 2)


def test_crash_that_does_not_happen_again_is_told_and_not_pinned_on_a_vector(tmp_path: Path) -> None:
    words, session = ask("crashes_once", questions(4, 2), str(tmp_path / "seen"))
    assert [word.reply.status for word in words.values() if isinstance(word.reply, Reply)] == [Status.ANSWER] * 4
    assert session.unsteady.startswith("it was killed by SIGABRT")
    assert session.unsteady.endswith("on one of 4 inputs, and on none when they came alone")


def test_target_that_dies_of_everything_is_given_up() -> None:
    session = AdapterSession(lambda: AdapterClient(command("crashes_on_everything"), PATIENT))
    words = []
    with pytest.raises(GaveUpError, match=f"given up after {FEW} losses"):
        words.extend(session.ask(questions(GIVE_UP * 2)))
    session.close()


def test_target_that_does_not_come_up_again_is_given_up() -> None:
    starts = iter(["crashes", "never_starts"])
    session = AdapterSession(lambda: AdapterClient(command(next(starts)), PATIENT))
    with pytest.raises(GaveUpError, match="did not come up again: it exited with status 4"):
        list(session.ask(questions(3, 1)))
    session.close()


def test_target_that_never_comes_up_is_lost_at_once() -> None:
    with pytest.raises(TargetLostError, match="status 4"):
        AdapterSession(lambda: AdapterClient(command("never_starts"), PATIENT))


def test_complaints_about_the_end_become_notes() -> None:
    _, session = ask("talks_at_the_end", questions(1))
    assert session.notes == ["the adapter wrote 3 bytes that no request asked for"]
