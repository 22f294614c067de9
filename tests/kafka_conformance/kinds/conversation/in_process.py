"""A broker that is called, not connected to, on a clock that only clients move."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

from kafka_conformance.kinds.conversation.judge import judge_conversation
from kafka_conformance.kinds.conversation.session import ConversationReaction
from kafka_conformance.protocol.messages import Reply, Status
from kafka_format import protocol
from kafka_format.errors import EncodeError
from kafka_tools.server.handlers import HANDLERS, sasl
from kafka_tools.server.server import Broker
from kafka_tools.server.state import NODE, Call, Connection


def judged(conversation, hello, seen):
    """Judge what was seen of a client that came to the end by itself."""
    reaction = ConversationReaction(0, Reply(Status.ANSWER, b""), 0.0, seen=seen)
    return judge_conversation(conversation, hello, "it", reaction)


class Clock:
    """Seconds that pass when somebody says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


class World:
    """The broker of the conversation that is going on, and the clock."""

    def __init__(self):
        self.clock = Clock()
        self.broker = None
        self._connections = 0

    @contextmanager
    def running(self, topics=None, settings=None, _sink=None):
        """Stand in for a broker that listens."""
        self.broker = Broker(topics, replace(settings, empty_seconds=0.0))
        self.broker.state.clock = self.clock
        self.broker.state.ports = {node: 9000 + node for node in range(NODE, NODE + settings.nodes)}
        yield self.broker

    def connect(self, node):
        """Open a connection to a node."""
        self._connections += 1
        return Connection(self._connections, "client", "localhost", 9000 + node, node=node)

    def ask(self, connection, api, body):
        """Send a request in the broker's highest version, and return the body of the answer.

        Raises:
            ConnectionError: the broker hangs up.
        """
        state = self.broker.state
        version = state.settings.versions[api][1]
        request = protocol.decode_request(_encode(api, version, body))
        call = Call(state, connection, api, version, request.body, "client")
        if not sasl.is_admitted(state, connection, api):
            raise ConnectionError("the broker hung up")
        meddling = state.meddler(call)
        answer = meddling.change(_result(HANDLERS[api](call)))
        data = protocol.encode_response(api, version, answer, correlation_id=0)
        self.clock.sleep(0.001 + sum(piece.seconds for piece in meddling.pieces(data)))
        meddling.on_sent()
        if meddling.hangs_up:
            state.shares.hang_up(connection.number)
            raise ConnectionError("the broker hung up")
        return protocol.decode_response(data, api, version).body


def _encode(api, version, body):
    """Write a request; what this version has no field for is left out."""
    while True:
        try:
            return protocol.encode_request(api, version, body)
        except EncodeError as error:
            if "no such field" not in str(error):
                raise
            owner = body
            for name in error.path[:-1]:
                owner = owner[name]
            del owner[error.path[-1]]


def _result(coroutine):
    """Run a handler to its end; whatever it waits for takes no time."""
    while True:
        try:
            coroutine.send(None)
        except StopIteration as end:
            return end.value
