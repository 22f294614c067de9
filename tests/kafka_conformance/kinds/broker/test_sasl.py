"""Logins: what is said, by the examples of the RFCs; and a broker that wants one."""

import ssl

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.broker import sasl
from kafka_conformance.kinds.broker.broker_link import BrokerLink
from kafka_conformance.targets.broker_launch import RunningBroker
from kafka_conformance.targets.broker_security import Login, Mechanism, Security
from kafka_format import protocol

from tests.kafka_conformance.kinds.broker.fake_broker import KAFKA_4, FakeBroker, running

LIMITS = Limits(seconds=20, start_seconds=5)
SHORT = Limits(seconds=0.2, start_seconds=5)
"""For who says nothing."""

PENCIL = Login(Mechanism.SCRAM_SHA_256, "user", "pencil")
CHALLENGE = b"r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
"""The exchange of RFC 7677, section 3."""


def test_scram_says_what_the_rfc_says():
    spoken = sasl.exchange(PENCIL, "rOprNGfwEbeRWgbNEkqO")
    assert next(spoken) == b"n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
    assert spoken.send(CHALLENGE) == (
        b"c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
    )
    with pytest.raises(StopIteration):
        spoken.send(b"v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")


@pytest.mark.parametrize(
    "challenge",
    [
        b"",
        b"\xff",
        b"r=another,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
        CHALLENGE.replace(b"4096", b"0"),
        CHALLENGE.replace(b"4096", b"99999999999"),
        CHALLENGE.replace(b"4096", b"many"),
        CHALLENGE.replace(b"W22Z", b"!22Z"),
    ],
)
def test_a_wrong_challenge_is_an_error(challenge):
    spoken = sasl.exchange(PENCIL, "rOprNGfwEbeRWgbNEkqO")
    next(spoken)
    with pytest.raises(ValueError, match=r"\S"):
        spoken.send(challenge)


def test_a_broker_that_does_not_know_the_password_is_not_believed():
    spoken = sasl.exchange(PENCIL, "rOprNGfwEbeRWgbNEkqO")
    next(spoken)
    spoken.send(CHALLENGE)
    with pytest.raises(ValueError, match="server signature"):
        spoken.send(b"v=AAAA")


@pytest.mark.parametrize(
    ("login", "said"),
    [
        (Login(Mechanism.PLAIN, "ann", "s\u00e4cret"), "\0ann\0s\u00e4cret".encode()),
        (Login(Mechanism.OAUTHBEARER, "", "abc"), b"n,,\x01auth=Bearer abc\x01\x01"),
    ],
)
def test_what_is_one_message(login, said):
    spoken = sasl.exchange(login)
    assert next(spoken) == said
    with pytest.raises(StopIteration):
        spoken.send(b"")


def test_names_with_signs_of_scram_are_written_otherwise():
    assert next(sasl.exchange(Login(Mechanism.SCRAM_SHA_512, "a=b,c", "x"), "n")) == b"n,,n=a=3Db=2Cc,r=n"


def test_a_password_is_not_shown():
    assert "pencil" not in repr(PENCIL)
    assert "pencil" not in repr(RunningBroker(("h", 1), security=Security(login=PENCIL)))


class GuardedBroker(FakeBroker):
    """Lets in who says `ann` and `secret` by PLAIN."""

    def _sasl_handshake(self, version, body):
        error = 0 if body.mechanism == "PLAIN" else 33
        return protocol.response("sasl_handshake", version).type(error_code=error, mechanisms=["PLAIN"])

    def _sasl_authenticate(self, version, body):
        error = 0 if body.auth_bytes == b"\0ann\0secret" else 58
        words = "Authentication failed" if error else None
        return protocol.response("sasl_authenticate", version).type(
            error_code=error, error_message=words, auth_bytes=b""
        )


@pytest.mark.parametrize(
    ("login", "refusal"),
    [
        (Login(Mechanism.PLAIN, "ann", "secret"), ""),
        (Login(Mechanism.PLAIN, "ann", "other"), "by PLAIN: SASL_AUTHENTICATION_FAILED Authentication failed"),
        (Login(Mechanism.SCRAM_SHA_256, "ann", "secret"), "by SCRAM-SHA-256: UNSUPPORTED_SASL_MECHANISM; it has PLAIN"),
    ],
)
def test_a_broker_lets_in_or_says_why_not(login, refusal):
    with running(dict(KAFKA_4), make=GuardedBroker) as broker:
        place = RunningBroker(broker.address, security=Security(login=login))
        if refusal:
            with pytest.raises(TargetLostError, match=refusal):
                BrokerLink(place, LIMITS)
        else:
            link = BrokerLink(place, LIMITS)
            assert link.versions()[1]
            link.close()


class TokenBroker(FakeBroker):
    """Refuses each token as Kafka 4.4.0 does: the reason first, an error when that is answered."""

    def _sasl_handshake(self, version, _body):
        return protocol.response("sasl_handshake", version).type(error_code=0, mechanisms=["OAUTHBEARER"])

    def _sasl_authenticate(self, version, body):
        is_answered = body.auth_bytes == b"\x01"
        reason = b'{"status":"invalid_token"}'
        return protocol.response("sasl_authenticate", version).type(
            error_code=58 if is_answered else 0,
            error_message=reason.decode() if is_answered else None,
            auth_bytes=b"" if is_answered else reason,
        )


def test_a_token_that_is_refused_is_told_as_such():
    login = Login(Mechanism.OAUTHBEARER, "ann", "old")
    with running(dict(KAFKA_4), make=TokenBroker) as broker:
        place = RunningBroker(broker.address, security=Security(login=login))
        with pytest.raises(TargetLostError, match=r"by OAUTHBEARER: SASL_AUTHENTICATION_FAILED .*invalid_token"):
            BrokerLink(place, LIMITS)


def test_tls_with_who_does_not_speak_it_is_told():
    with running() as broker, pytest.raises(TargetLostError, match="may speak plainly"):
        BrokerLink(RunningBroker(broker.address, security=Security(tls=ssl.create_default_context())), SHORT)
