"""Clients that authenticate: a sound one passes every conversation, a wrong one does not."""

import pytest
from kafka_conformance.outcomes import Outcome

from tests.kafka_conformance.kinds.conversation.sasl_reader import SaslReader
from tests.kafka_conformance.kinds.conversation.test_members import found, result

CASES = found("conversation/sasl/*")


def wrong(**methods):
    return type("WrongReader", (SaslReader,), methods)


def connects_anew(self):
    self.connection = self.world.connect(1)
    self.authenticate()


def says_nothing(self, _text):
    self.is_over = True


def leaves_out_the_handshake(self):
    self.world.ask(self.connection, "sasl_authenticate", {"auth_bytes": b""})


def joins_anew(self):
    self.generation = -1
    self.authenticate()


def begins_anew(self):
    self.authenticate()
    self.positions = dict.fromkeys(self.positions, 0)


WRONG = {
    "does not authenticate": (wrong(authenticate=lambda _self: None), "first"),
    "agrees on no mechanism": (wrong(authenticate=leaves_out_the_handshake), "first"),
    "stops when its session is over": (wrong(next_time=lambda *_: 0.0, on_hang_up=lambda _self: None), "again"),
    "connects anew instead": (wrong(authenticate_again=connects_anew), "again"),
    "waits for the broker to hang up": (wrong(next_time=lambda *_: 0.0), "again"),
    "begins anew": (wrong(authenticate_again=begins_anew), "again"),
    "renews once": (
        wrong(next_time=lambda self, seconds: 0.0 if self.due else SaslReader.next_time(self, seconds)),
        "again-and-again",
    ),
    "joins anew": (wrong(authenticate_again=joins_anew), "member-again"),
    "authenticates all the time": (wrong(next_time=lambda self, _seconds: self.world.clock()), "for-ever"),
    "hides a wrong password": (wrong(fail=says_nothing), "wrong-password"),
    "hides an unknown mechanism": (wrong(fail=says_nothing), "unknown-mechanism"),
    "hides that it may no more": (wrong(fail=says_nothing), "refused-later"),
    "stops at a hang-up": (wrong(on_hang_up=lambda self: vars(self).update(is_over=True)), "hangs-up"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_sound_client_passes(world, name):
    came = result(world, SaslReader, CASES[name])
    assert came.outcome is Outcome.PASSED, came.detail


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_client_fails(world, name):
    kind, case = WRONG[name]
    assert result(world, kind, CASES[case]).outcome.is_finding
