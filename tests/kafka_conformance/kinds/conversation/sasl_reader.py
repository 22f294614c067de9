"""A consumer of two topics that authenticates, for conversations that are held in this process."""

from __future__ import annotations

from collections import defaultdict

from kafka_conformance.kinds.consumer.driver import Got
from kafka_format.broker.consumer import deliver

TICK = 0.1
REFUSED, UNKNOWN_MECHANISM = 58, 33


class SaslReader:
    """A sound one; with a group, it joins by itself and sends heartbeats."""

    def __init__(self, world):
        self.world = world
        self.got, self.events = defaultdict(Got), []
        self.connection, self.due, self.is_over = None, 0.0, False
        self.member, self.generation = "", -1

    def assign(self, _broker, isolation, topics, settings):
        self.positions, self.isolation, self.settings = dict(topics), isolation, settings

    def stop(self):
        """Let go."""

    def poll(self):
        self.world.clock.sleep(TICK)
        if not self.is_over:
            try:
                self.tick()
            except ConnectionError:
                self.on_hang_up()
        return 0

    def tick(self):
        if self.connection is None:
            self.connection = self.world.connect(1)
            self.authenticate()
        elif self.due and self.world.clock() >= self.due:
            self.authenticate_again()
        if not self.is_over:
            self.beat()
            self.fetch()

    def on_hang_up(self):
        self.connection = None

    def authenticate(self):
        mechanism = {"mechanism": self.settings["sasl"]}
        if self.world.ask(self.connection, "sasl_handshake", mechanism).error_code:
            self.fail("the broker does not have the mechanism")
            return
        answer = self.world.ask(self.connection, "sasl_authenticate", {"auth_bytes": b"\0a\0b"})
        if answer.error_code:
            self.fail("the broker refuses")
            return
        self.due = self.next_time(answer.session_lifetime_ms / 1000)

    def next_time(self, seconds):
        return self.world.clock() + 0.85 * seconds if seconds else 0.0

    def authenticate_again(self):
        self.authenticate()

    def fail(self, text):
        self.is_over = True
        self.got["?"].errors.append(text)

    def beat(self):
        if "group" not in self.settings:
            return
        group = {"group_id": self.settings["group"], "group_instance_id": None}
        if self.generation < 0:
            asked = {"session_timeout_ms": 10000, "rebalance_timeout_ms": 1000, "protocol_type": "consumer"}
            asked |= {"protocols": [{"name": "range", "metadata": b""}], "member_id": self.member}
            answer = self.world.ask(self.connection, "join_group", {**group, **asked})
            self.member = answer.member_id
            self.generation = -1 if answer.error_code else answer.generation_id
            return
        self.world.ask(
            self.connection, "heartbeat", {**group, "generation_id": self.generation, "member_id": self.member}
        )

    def fetch(self):
        known = self.world.broker.state.topics
        asked = [
            {
                "topic_id": known.find(name).topic_id,
                "partitions": [{"partition": 0, "fetch_offset": offset, "partition_max_bytes": 1 << 20}],
            }
            for name, offset in self.positions.items()
        ]
        body = {"max_wait_ms": 0, "max_bytes": 1 << 20, "topics": asked, "session_epoch": -1}
        for topic in self.world.ask(self.connection, "fetch", body).responses:
            name, records = known.find(topic_id=topic.topic_id).name, topic.partitions[0].records
            if records:
                came = deliver(records, self.positions[name], self.isolation, [])
                self.got[name].records.extend(record._replace(producer_id=-1) for record in came.records)
                self.positions[name] = came.next_offset
