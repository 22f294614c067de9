"""A member of a classic group in a few lines, for conversations that are held in this process."""

from __future__ import annotations

from kafka_format import protocol

from tests.kafka_conformance.kinds.conversation.member import FOUND_ELSEWHERE, LOADING, UNKNOWN_MEMBER, Member

ILLEGAL_GENERATION, REBALANCING, ID_REQUIRED = 22, 27, 79
VERSION = b"\0\0"
"""The version of an assignment, in front of it."""

ASSIGNMENT = protocol.schema("consumer_protocol_assignment", 0)


class ClassicMember(Member):
    """A sound member, which leads its group, and is alone in it."""

    def __init__(self, world):
        super().__init__(world)
        self.id, self.epoch, self.ids, self.has_lost = "", -1, {}, False

    def assign(self, broker, isolation, topics, settings):
        super().assign(broker, isolation, topics, settings)
        for name in self.names:
            (topic,) = self.world.ask(self.leader, "metadata", {"topics": [{"name": name}]}).topics
            self.ids[name] = bytes(topic.topic_id)
            self.topics[self.ids[name]] = name

    @property
    def is_eager(self):
        return self.settings.get("assignor") == "range"

    def stop(self):
        if not self.is_over and self.joined and "instance" not in self.settings:
            self.leave()

    def tick(self):
        if self.coordinator is None and not self.find_coordinator():
            return
        if not self.joined:
            self.join()
        elif self.world.clock() >= self.next_heartbeat:
            self.heartbeat()
        if self.joined and not self.is_over and self.coordinator is not None:
            self.fetch()
            if self.settings.get("commit") != "manual":
                self.commit()

    def on_hang_up(self):
        self.coordinator = None

    # Joining.

    def who(self):
        instance = {"group_instance_id": self.settings.get("instance")}
        return {"group_id": self.settings["group"], "member_id": self.id, **instance}

    def of_generation(self):
        return {**self.who(), "generation_id": self.epoch}

    def join(self):
        self.prepare()
        offered = {"session_timeout_ms": 10000, "rebalance_timeout_ms": 60000, "protocol_type": "consumer"}
        offered["protocols"] = [{"name": "range", "metadata": b""}]
        answer = self.world.ask(self.coordinator, "join_group", {**self.who(), **offered})
        if answer.error_code == ID_REQUIRED:
            self.take_id(answer.member_id)  # and joins with that next time
        elif answer.error_code:
            self.on_join_error(answer.error_code)
        else:
            self.take_id(answer.member_id)
            self.epoch = answer.generation_id
            self.sync(self.assignments() if answer.leader == self.id else [])

    def prepare(self):
        """Give up what it has before it joins, if that is due."""
        if self.has_lost:
            self.lose()
        elif self.is_eager and self.owned:
            self.revoke(set(self.owned))
        self.has_lost = False

    def take_id(self, name):
        self.id = name

    def on_join_error(self, code):
        if code == UNKNOWN_MEMBER:
            self.id = ""
        elif code in FOUND_ELSEWHERE:
            self.coordinator = None
        elif code != LOADING:
            self.end(code)

    def assignments(self):
        row = ASSIGNMENT.types["topic_partition"]
        rows = [row(topic=name, partitions=[0]) for name in sorted(self.names)]
        body = ASSIGNMENT.encode(ASSIGNMENT.type(assigned_partitions=rows, user_data=None))
        return [{"member_id": self.id, "assignment": VERSION + body}]

    def sync(self, assignments):
        of_protocol = {"protocol_type": "consumer", "protocol_name": "range", "assignments": assignments}
        answer = self.world.ask(self.coordinator, "sync_group", {**self.of_generation(), **of_protocol})
        if answer.error_code:
            self.on_sync_error(answer.error_code)
            return
        self.joined, self.next_heartbeat = True, self.world.clock() + 0.1
        data = bytes(answer.assignment)[len(VERSION) :]
        rows = ASSIGNMENT.decode(data).assigned_partitions if data else ()
        self.take_assignment({self.ids[row.topic] for row in rows})

    def on_sync_error(self, code):
        if code in FOUND_ELSEWHERE:
            self.coordinator = None
        elif code == UNKNOWN_MEMBER:
            self.id = ""
        elif code not in {ILLEGAL_GENERATION, REBALANCING, LOADING}:
            self.end(code)

    def take_assignment(self, assigned):
        gone, gained = self.owned - assigned, assigned - self.owned
        if gone:
            self.revoke(gone)
            self.rejoin_after_revocation()
        self.owned = assigned
        if gained:
            self.tell("assigned", gained)

    def rejoin_after_revocation(self):
        self.joined = False

    def revoke(self, gone):
        self.world.clock.sleep(int(self.settings.get("callback", 0)) / 1000)
        self.tell("revoked", gone)
        self.owned -= gone
        for identity in gone:
            self.positions.pop(identity, None)

    # Heartbeats.

    def heartbeat(self):
        self.next_heartbeat = self.world.clock() + 0.1
        code = self.world.ask(self.coordinator, "heartbeat", self.of_generation()).error_code
        if code:
            self.on_heartbeat_error(code)

    def on_heartbeat_error(self, code):
        if code in FOUND_ELSEWHERE:
            self.coordinator = None
        elif code == REBALANCING:
            self.joined = False
        elif code in {ILLEGAL_GENERATION, UNKNOWN_MEMBER}:
            self.joined, self.has_lost, self.epoch = False, True, -1
            self.id = "" if code == UNKNOWN_MEMBER else self.id
        else:
            self.end(code)

    def leave(self):
        members = [{"member_id": self.id, "group_instance_id": None}]
        self.world.ask(self.coordinator, "leave_group", {"group_id": self.settings["group"], "members": members})
