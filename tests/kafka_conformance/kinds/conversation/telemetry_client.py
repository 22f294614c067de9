"""A consumer that tells of itself (KIP-714), for conversations that are held in this process."""

from __future__ import annotations

from tests.kafka_conformance.kinds.conversation.sasl_reader import SaslReader

UNSUPPORTED_COMPRESSION, UNKNOWN_SUBSCRIPTION = 76, 117
NOBODY = bytes(16)
NONE, GZIP, ZSTD = 0, 1, 4


class TelemetryClient(SaslReader):
    """A sound one."""

    def __init__(self, world):
        super().__init__(world)
        self.instance, self.subscription, self.next_push = NOBODY, None, 0.0
        self.codec, self.is_wanted = NONE, True

    def authenticate(self):
        """Nobody asks for that."""

    def stop(self):
        if self.subscription is not None and self.connection is not None:
            self.push(terminating=True)

    def beat(self):
        super().beat()
        if self.subscription is None:
            self.subscribe()
        elif self.is_wanted and self.world.clock() >= self.next_push:
            self.push()

    def subscribe(self):
        asked = {"client_instance_id": self.instance}
        answer = self.world.ask(self.connection, "get_telemetry_subscriptions", asked)
        self.instance, self.subscription = bytes(answer.client_instance_id), answer.subscription_id
        self.codec = self.choose(list(answer.accepted_compression_types))
        self.is_wanted = self.wants(list(answer.requested_metrics))
        self.interval = answer.push_interval_ms / 1000
        self.next_push = self.world.clock() + self.wait()

    def choose(self, accepted):
        return accepted[0] if accepted else NONE

    def wants(self, names):
        return bool(names)

    def wait(self):
        return 0.6 * self.interval

    def push(self, *, terminating=False):
        answer = self.world.ask(self.connection, "push_telemetry", self.request(terminating))
        self.next_push = self.world.clock() + self.interval
        if answer.error_code:
            self.on_push_error(answer.error_code)

    def request(self, terminating):
        who = {"client_instance_id": self.instance, "subscription_id": self.subscription}
        return {**who, "terminating": terminating, "compression_type": self.codec, "metrics": b""}

    def on_push_error(self, _code):
        self.subscription = None
