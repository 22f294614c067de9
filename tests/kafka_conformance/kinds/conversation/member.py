"""A member of a KIP-848 group in a few lines, for conversations that are held in this process.

Each tick of its clock is a poll of the application. What wrong members do otherwise is a method
each.
"""

from __future__ import annotations

import uuid
from collections import defaultdict

from kafka_conformance.kinds.consumer.driver import Got
from kafka_format.broker.consumer import deliver

TICK = 0.1
INTERVAL = 0.1
FOUND_ELSEWHERE = {15, 16}
"""COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR."""
LOADING, UNKNOWN_MEMBER, FENCED = 14, 25, 110
STALE, UNSTABLE, UNKNOWN_TOPIC_ID, UNKNOWN_TOPIC = 113, 88, 100, 3


class Member:
    """A sound member."""

    API = "consumer_group_heartbeat"

    def __init__(self, world):
        self.world = world
        self.got = defaultdict(Got)
        self.events = []
        self.id, self.epoch, self.joined, self.is_over = str(uuid.uuid4()), 0, False, False
        self.coordinator = self.leader = None
        self.owned, self.target, self.unsaid = set(), None, False
        self.giving_up, self.given_up_at = set(), 0.0
        self.topics, self.positions, self.committed = {}, {}, {}
        self.next_heartbeat, self.silent_until, self.sends_all = 0.0, 0.0, True

    # What the suite does with a driver.

    def assign(self, _broker, isolation, topics, settings):
        self.settings, self.isolation = settings, isolation
        self.names = [name for name, _ in topics]
        self.leader = self.world.connect(1)

    def poll(self):
        self.world.clock.sleep(TICK)
        if not self.is_over and self.world.clock() >= self.silent_until:
            try:
                self.tick()
            except ConnectionError:
                self.on_hang_up()
        return 0

    def do(self, _deed):
        for _ in range(3):
            errors = self.commit()
            if not any(errors):
                self.events.append("committed")
                return
        self.events.append("commit-failed")

    def stop(self):
        if not self.is_over and self.joined:
            self.leave()

    # A poll.

    def tick(self):
        if self.coordinator is None and not self.find_coordinator():
            return
        if self.world.clock() >= self.next_heartbeat:
            self.heartbeat()
        if self.is_over or not self.joined or self.coordinator is None:
            return
        self.reconcile()
        self.fetch()
        if self.settings.get("commit") != "manual":
            self.commit()

    def on_hang_up(self):
        self.coordinator, self.sends_all, self.next_heartbeat = None, True, 0.0
        if self.epoch == 0:
            self.joined = False

    def find_coordinator(self):
        found = self.world.ask(
            self.leader, "find_coordinator", {"key_type": 0, "coordinator_keys": [self.settings["group"]]}
        )
        one = found.coordinators[0]
        if one.error_code:
            return False
        self.coordinator = self.world.connect(one.node_id)
        return True

    # Heartbeats.

    def heartbeat(self):
        asked = self.request()
        self.next_heartbeat = self.world.clock() + INTERVAL
        answer = self.world.ask(self.coordinator, self.API, asked)
        if answer.throttle_time_ms:
            self.on_throttle(answer.throttle_time_ms)
        if answer.error_code:
            self.on_error(answer.error_code)
            return
        self.sends_all = False
        self.take(answer)
        self.next_heartbeat = self.world.clock() + self.interval(answer)
        assignment = self.assignment_of(answer)
        if assignment is not None:
            self.on_assignment(assignment)

    def assignment_of(self, answer):
        return answer.assignment

    def interval(self, answer):
        return answer.heartbeat_interval_ms / 1000

    def on_throttle(self, milliseconds):
        self.silent_until = self.world.clock() + milliseconds / 1000

    def take(self, answer):
        self.epoch, self.joined = answer.member_epoch, True
        if answer.member_id and self.world.broker.state.settings.versions.get(self.API) == (0, 0):
            self.id = answer.member_id

    def request(self):
        asked = {"group_id": self.settings["group"], "member_id": self.id_to_send(), "member_epoch": self.epoch}
        asked |= {"instance_id": self.settings.get("instance"), "rack_id": None, "server_assignor": None}
        names = self.subscription() if self.sends_all else {"subscribed_topic_names": None}
        return {**asked, **names, "rebalance_timeout_ms": 60000 if self.sends_all else -1, **self.claims()}

    def id_to_send(self):
        is_old = self.world.broker.state.settings.versions.get(self.API) == (0, 0)
        return "" if is_old and self.epoch == 0 and not self.joined else self.id

    def subscription(self):
        regex = self.settings.get("regex")
        return (
            {"subscribed_topic_names": [], "subscribed_topic_regex": regex}
            if regex
            else {"subscribed_topic_names": self.names}
        )

    def claims(self):
        if not (self.sends_all or self.unsaid):
            return {"topic_partitions": None}
        self.unsaid = False
        return {"topic_partitions": [{"topic_id": identity, "partitions": [0]} for identity in self.claimed()]}

    def claimed(self):
        return sorted(self.owned)

    def on_error(self, code):
        if code in FOUND_ELSEWHERE:
            self.coordinator, self.sends_all = None, True
        elif code == LOADING:
            self.sends_all = True
        elif code in {UNKNOWN_MEMBER, FENCED}:
            self.rejoin()
        else:
            self.end(code)

    def end(self, code):
        self.lose()
        self.is_over = True
        self.got["?"].errors.append(f"error {code}")

    def rejoin(self):
        self.lose()
        self.epoch, self.joined, self.sends_all, self.next_heartbeat = 0, False, True, 0.0

    def lose(self):
        if self.owned:
            self.tell("lost", self.owned)
        self.owned, self.target, self.unsaid, self.giving_up = set(), None, False, set()
        self.positions, self.committed = {}, {}

    def leave(self):
        if self.owned:
            self.tell("revoked", self.owned)
        self.sends_all = False
        asked = {**self.request(), "member_epoch": self.leave_epoch(), "topic_partitions": []}
        self.world.ask(self.coordinator, self.API, asked)

    def leave_epoch(self):
        return -2 if "instance" in self.settings else -1

    # Assignments.

    def on_assignment(self, assignment):
        self.target = {bytes(topic.topic_id) for topic in assignment.topic_partitions}

    def reconcile(self):
        if self.target is None:
            return
        if self.giving_up:
            if self.world.clock() >= self.given_up_at:
                self.gave_up()
            return
        known = {identity for identity in self.target if self.resolve(identity)}
        self.giving_up = self.owned - self.target
        if self.giving_up:
            self.begin_to_give_up()
            return
        gained = known - self.owned
        self.owned |= gained
        self.unsaid, self.next_heartbeat = True, 0.0
        if known == self.target:
            self.target = None
        if gained or not self.owned:
            self.tell("assigned", gained)

    def begin_to_give_up(self):
        self.given_up_at = self.world.clock() + int(self.settings.get("callback", 0)) / 1000
        if self.given_up_at <= self.world.clock():
            self.gave_up()

    def gave_up(self):
        self.tell("revoked", self.giving_up)
        self.owned -= self.giving_up
        for identity in self.giving_up:
            self.positions.pop(identity, None)
        self.giving_up = set()
        self.unsaid, self.next_heartbeat = True, 0.0
        if self.target is not None and self.owned == self.target:
            self.target = None

    def resolve(self, identity):
        if identity not in self.topics:
            asked = {"topics": [{"topic_id": identity, "name": None}], "allow_auto_topic_creation": False}
            for topic in self.world.ask(self.leader, "metadata", asked).topics:
                if not topic.error_code:
                    self.topics[identity] = topic.name
        return identity in self.topics

    def tell(self, what, topics):
        self.events.append(" ".join([what, *sorted(self.topics.get(identity, "?") for identity in topics)]))

    # Offsets and records.

    def fetch(self):
        wanted = [identity for identity in sorted(self.wanted()) if self.position(identity) is not None]
        if not wanted:
            return
        partitions = [
            {
                "topic_id": identity,
                "partitions": [
                    {"partition": 0, "fetch_offset": self.positions[identity], "partition_max_bytes": 1 << 20}
                ],
            }
            for identity in wanted
        ]
        answer = self.world.ask(
            self.leader, "fetch", {"max_wait_ms": 0, "max_bytes": 1 << 20, "topics": partitions, "session_epoch": -1}
        )
        for topic in answer.responses:
            identity, partition = bytes(topic.topic_id), topic.partitions[0]
            if partition.records and identity in self.positions:
                got = deliver(partition.records, self.positions[identity], self.isolation, [])
                self.got[self.topics[identity]].records.extend(
                    record._replace(producer_id=-1) for record in got.records
                )
                self.positions[identity] = got.next_offset

    def wanted(self):
        return self.owned - self.giving_up

    def position(self, identity):
        if identity not in self.positions:
            offset = self.fetch_offset(identity)
            if offset is None:
                return None
            self.positions[identity] = self.committed[identity] = offset if offset >= 0 else self.earliest(identity)
        return self.positions[identity]

    def fetch_offset(self, identity):
        """Return the committed offset; -1 for none, None if it is not known yet."""
        topics = [{"topic_id": identity, "name": self.topics[identity], "partition_indexes": [0]}]
        group = {"group_id": self.settings["group"], "member_id": self.id, "member_epoch": self.epoch, "topics": topics}
        answer = self.world.ask(self.coordinator, "offset_fetch", {"groups": [group], "require_stable": True}).groups[0]
        if answer.error_code or any(topic.partitions[0].error_code for topic in answer.topics):
            return self.on_offset_error(answer.error_code)
        return answer.topics[0].partitions[0].committed_offset

    def on_offset_error(self, _code):
        return None

    def earliest(self, identity):
        topics = [{"name": self.topics[identity], "partitions": [{"partition_index": 0, "timestamp": -2}]}]
        answer = self.world.ask(self.leader, "list_offsets", {"replica_id": -1, "topics": topics})
        return answer.topics[0].partitions[0].offset

    def commit(self):
        due = {
            identity: offset for identity, offset in self.positions.items() if self.committed.get(identity) != offset
        }
        if not due:
            return []
        topics = [
            {
                "topic_id": identity,
                "name": self.topics[identity],
                "partitions": [{"partition_index": 0, "committed_offset": offset, "committed_metadata": ""}],
            }
            for identity, offset in due.items()
        ]
        asked = {
            "group_id": self.settings["group"],
            "generation_id_or_member_epoch": self.epoch_of_commit(),
            "member_id": self.id,
            "topics": topics,
        }
        answer = self.world.ask(
            self.coordinator, "offset_commit", {**asked, "group_instance_id": self.settings.get("instance")}
        )
        errors = [topic.partitions[0].error_code for topic in answer.topics]
        if not any(errors):
            self.committed |= due
        return self.on_commit(errors)

    def on_commit(self, errors):
        return errors

    def epoch_of_commit(self):
        return self.epoch
