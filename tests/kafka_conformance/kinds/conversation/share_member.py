"""A member of a share group in a few lines, for conversations that are held in this process."""

from __future__ import annotations

from collections import Counter, defaultdict

from kafka_format import records

from tests.kafka_conformance.kinds.conversation.member import Member

GAP, TYPES = 0, {"accept": 1, "release": 2, "reject": 3, "renew": 4}
NOT_LEADER, UNKNOWN_TOPIC_ID = 6, 100


class Session:
    """A share session with one node."""

    def __init__(self, connection):
        self.connection, self.epoch, self.topics = connection, 0, set()


class ShareMember(Member):
    """A sound member."""

    API = "share_group_heartbeat"

    def __init__(self, world):
        super().__init__(world)
        self.sessions, self.leaders = {}, {}
        self.unsaid_records, self.said = [], defaultdict(dict)
        self.deliveries, self.renewed = Counter(), {}

    # A poll.

    def tick(self):
        if self.coordinator is None and not self.find_coordinator():
            return
        if self.world.clock() >= self.next_heartbeat:
            self.heartbeat()
        if not self.is_over and self.joined:
            self.accept()
            self.fetch()

    def do(self, _deed):
        self.accept()
        failed = False
        for node in list(self.sessions):
            failed |= not self.acknowledge_alone(node)
        self.events.append("commit-failed" if failed else "committed")

    def stop(self):
        if self.is_over or not self.joined:
            return
        self.accept()
        for node in list(self.sessions):
            self.close_session(node)
        self.leave()

    # Heartbeats.

    def request(self):
        asked = {"group_id": self.settings["group"], "member_id": self.id_to_send(), "member_epoch": self.epoch}
        return {**asked, "rack_id": None, "subscribed_topic_names": self.names if self.sends_all else None}

    def leave(self):
        self.world.ask(self.coordinator, self.API, {**self.request(), "member_epoch": -1})

    def on_assignment(self, assignment):
        self.owned = {bytes(topic.topic_id) for topic in assignment.topic_partitions}

    def lose(self):
        self.owned = set()

    # What the application says of records.

    def accept(self):
        """Say of what the last poll brought what the application says, or that it is accepted."""
        types = self.settings.get("acknowledge", "accept").split(",")
        for identity, offset in self.unsaid_records:
            before = self.deliveries[identity, offset] - 1
            kind = types[(offset + before) % len(types)]
            self.said[identity][offset] = TYPES[kind]
            if kind == "renew":
                self.renewed[identity, offset] = True
        self.unsaid_records = []

    def come_again(self):
        """Have the application say something of records once more whose locks were renewed."""
        for key in self.renewed:
            self.deliveries[key] += 1
            self.unsaid_records.append(key)
        self.renewed = {}

    def batches(self, _identity, said):
        return [
            {"first_offset": offset, "last_offset": offset, "acknowledge_types": [kind]}
            for offset, kind in sorted(said.items())
        ]

    # Share sessions.

    def leader_of(self, identity):
        if identity not in self.leaders:
            asked = {"topics": [{"topic_id": identity, "name": None}], "allow_auto_topic_creation": False}
            for topic in self.world.ask(self.leader, "metadata", asked).topics:
                if not topic.error_code:
                    self.topics[identity] = topic.name
                    self.leaders[identity] = topic.partitions[0].leader_id
        return self.leaders.get(identity)

    def fetch(self):
        for identity in self.wanted():
            self.leader_of(identity)
        for node in sorted({*self.sessions, *(self.leaders[each] for each in self.wanted() if each in self.leaders)}):
            self.fetch_from(node)

    def wanted(self):
        return self.owned

    def of_node(self, node):
        return {identity for identity in self.wanted() if self.leaders.get(identity) == node}

    def session(self, node):
        if node not in self.sessions:
            self.sessions[node] = Session(self.world.connect(node))
        return self.sessions[node]

    def fetch_from(self, node):
        session, wanted = self.session(node), self.of_node(node)
        sent = self.take_said(node) if session.epoch else {}
        added = wanted if not session.epoch else wanted - session.topics
        renews = any(kind == TYPES["renew"] for said in sent.values() for kind in said.values())
        asked = {
            **self.of_session(session, sent, added),
            "max_wait_ms": 0 if renews else 100,
            "min_bytes": 0 if renews else 1,
            "max_bytes": 0 if renews else 1 << 20,
            "max_records": 0 if renews else 500,
            "batch_size": 500,
            "is_renew_ack": renews,
            "forgotten_topics_data": self.forgotten(session, wanted),
        }
        session.topics = wanted if not session.epoch else (session.topics & wanted) | added
        answer = self.send(node, "share_fetch", asked, sent)
        if answer is not None:
            for topic in answer.responses:
                self.take_partition(node, bytes(topic.topic_id), topic.partitions[0], sent)

    def forgotten(self, session, wanted):
        gone = (session.topics - wanted) if session.epoch else ()
        return [{"topic_id": identity, "partitions": [0]} for identity in gone]

    def of_session(self, session, sent, more=()):
        topics = [
            {
                "topic_id": identity,
                "partitions": [
                    {
                        "partition_index": 0,
                        "acknowledgement_batches": self.batches(identity, sent.get(identity, {})),
                    }
                ],
            }
            for identity in sorted({*sent, *more})
        ]
        group = {"group_id": self.settings["group"], "member_id": self.id, "share_session_epoch": session.epoch}
        return {**group, "topics": topics}

    def take_said(self, node):
        """Take what is to be acknowledged to a node."""
        session = self.sessions[node]
        return {identity: self.said.pop(identity) for identity in list(self.said) if identity in session.topics}

    def send(self, node, api, asked, sent):
        """Send a request of a session; return the body of the answer, None if it failed."""
        session = self.sessions[node]
        try:
            answer = self.world.ask(session.connection, api, asked)
        except ConnectionError:
            self.on_lost_session(node, sent)
            return None
        if answer.error_code:
            self.on_session_error(node, sent, answer.error_code)
            return None
        session.epoch += 1
        return answer

    def on_session_error(self, node, sent, _code):
        self.on_lost_session(node, sent)

    def on_lost_session(self, node, sent):
        self.sessions.pop(node)
        for identity in sent:
            self.tell_acknowledged(identity, sent[identity], 1)

    def tell_acknowledged(self, identity, said, error):
        offsets = sorted(said)
        text = f"{offsets[0]}..{offsets[-1]}" if len(offsets) > 1 else f"{offsets[0]}"
        what = "acknowledge-failed" if error else "acknowledged"
        self.events.append(f"{what} {self.topics.get(identity, '?')} {text}")

    def acknowledge_alone(self, node):
        """Send what is to be acknowledged by itself; tell whether all was taken."""
        session = self.sessions[node]
        sent = self.take_said(node)
        if not sent:
            return True
        answer = self.send(node, "share_acknowledge", self.of_session(session, sent), sent)
        return answer is not None and not any(topic.partitions[0].error_code for topic in answer.responses)

    def close_session(self, node):
        session = self.sessions.pop(node)
        sent = {identity: said for identity, said in self.said.items() if identity in session.topics}
        session.epoch = -1
        self.world.ask(session.connection, "share_acknowledge", self.of_session(session, sent))

    # Records.

    def take_partition(self, _node, identity, partition, sent):
        if identity in sent:
            self.on_acknowledged(identity, sent[identity], partition.acknowledge_error_code)
        if partition.error_code in {NOT_LEADER, UNKNOWN_TOPIC_ID}:
            self.leaders.pop(identity, None)
            return
        self.come_again()
        self.deliver(identity, partition)

    def on_acknowledged(self, identity, said, error):
        self.tell_acknowledged(identity, said, error)

    def deliver(self, identity, partition):
        found = {record.offset: record for record in records.decode(bytes(partition.records or b""))}
        for run in partition.acquired_records:
            for offset in range(run.first_offset, run.last_offset + 1):
                record = found.get(offset)
                if record is None or record.control:
                    self.on_gap(identity, offset)
                else:
                    self.deliver_record(identity, record, run.delivery_count)

    def on_gap(self, identity, offset):
        self.said[identity][offset] = GAP

    def deliver_record(self, identity, record, count):
        name = self.topics[identity]
        self.deliveries[identity, record.offset] += 1
        self.unsaid_records.append((identity, record.offset))
        self.got[name].records.append(
            record._replace(producer_id=-1, producer_epoch=-1, sequence=-1, transactional=False)
        )
        self.events.append(f"delivered {name} {record.offset} count={count}")
