"""A producer in a few lines, idempotent or with transactions, for conversations in this process.

What wrong producers do otherwise is a method each.
"""

from __future__ import annotations

from kafka_format import structure
from kafka_format.records.model import TRANSACTIONAL_BIT

LOADING, NOT_AVAILABLE, NOT_COORDINATOR, CONCURRENT = 14, 15, 16, 51
DUPLICATE, OUT_OF_ORDER, INVALID_EPOCH, INVALID_STATE, INVALID_MAPPING = 46, 45, 47, 48, 49
UNKNOWN_PRODUCER, FENCED, ABORTABLE = 59, 90, 120
RETRIED = {3, 5, 6, 7, 19, 20, 56, CONCURRENT}
"""Errors of a batch after which it is sent again."""
FORGOTTEN = {OUT_OF_ORDER, INVALID_EPOCH, UNKNOWN_PRODUCER}
MOST_TRIES = 20
IDEMPOTENT_TIMEOUT = 2.0


class Failed(Exception):  # noqa: N818 - an outcome of a transaction
    """The transaction cannot be committed."""


class Dead(Exception):  # noqa: N818 - an outcome of a producer
    """The producer can do nothing any more."""


class Writer:
    """A sound producer."""

    def __init__(self, world):
        self.world = world
        self.told = []
        self.id, self.epoch, self.sequence = -1, -1, 0
        self.leader = self.coordinator = None
        self.added, self.written = False, False

    def do(self, _broker, topic, settings, steps, _sent=None):
        self.topic, self.is_transactional = topic, "transactional" in settings
        self.is_v2 = bool(self.world.broker.state.settings.features)
        self.leader = self.world.connect(1)
        try:
            if self.is_transactional:
                self.init()
            for what, *values in map(str.split, steps):
                if what == "send":
                    self.send_alone(values)
                else:
                    self.transaction(values, commits=what == "transaction")
        except Dead as dead:
            self.told.append(f"dead {dead}")
        return self.told

    # Idempotent.

    def send_alone(self, values):
        if self.id < 0:
            self.init()
        for value in values:
            error = self.send([value])
            self.told.append(f"unsent {value} {error}" if error else f"sent {value}")

    def send(self, values):
        """Send a batch until it is sent or cannot be; return an error code."""
        for _ in range(MOST_TRIES):
            error = self.try_to_send(values)
            if error in {0, DUPLICATE}:
                return self.on_sent(values, error)
            if error in RETRIED or error == "hung up":
                self.before_retry(error)
            elif error in FORGOTTEN and not self.is_transactional:
                self.on_forgotten()
            else:
                return error
        return error

    def on_sent(self, values, _error):
        self.sequence += len(values)
        return 0

    def before_retry(self, error):
        if error != "hung up":
            self.find_leader()

    def on_forgotten(self):
        self.epoch, self.sequence = self.epoch + 1, 0

    def try_to_send(self, values):
        batch = {
            "topic_id": self.topic_id(),
            "name": self.topic,
            "partition_data": [{"index": 0, "records": self.batch(values)}],
        }
        asked = {"transactional_id": self.transactional_id(), "acks": -1, "timeout_ms": 1000, "topic_data": [batch]}
        before = self.world.clock()
        try:
            answer = self.ask(self.leader, "produce", asked)
        except ConnectionError:
            self.leader = self.world.connect(self.leader.node)
            return "hung up"
        if self.world.clock() - before > IDEMPOTENT_TIMEOUT:
            return "hung up"
        return answer.responses[0].partition_responses[0].error_code

    def transactional_id(self):
        return self.topic if self.is_transactional else None

    def batch(self, values):
        records = [{"offset_delta": index, "value": value.encode()} for index, value in enumerate(values)]
        return structure("record_batch").encode(
            {
                "attributes": TRANSACTIONAL_BIT if self.marks() else 0,
                "producer_id": self.id,
                "producer_epoch": self.epoch,
                "base_sequence": self.sequence,
                "last_offset_delta": len(values) - 1,
                "records": records,
            }
        )

    def marks(self):
        return self.is_transactional

    def topic_id(self):
        return self.world.broker.state.topics.find(self.topic).topic_id

    def find_leader(self):
        asked = {"topics": [{"topic_id": bytes(16), "name": self.topic}], "allow_auto_topic_creation": False}
        found = self.ask(self.leader, "metadata", asked)
        self.leader = self.world.connect(found.topics[0].partitions[0].leader_id)

    def ask(self, connection, api, body):
        return self.world.ask(connection, api, body)

    # Transactions.

    def init(self):
        answer = self.coordinate("init_producer_id", self.init_request(), {LOADING, CONCURRENT})
        if answer.error_code:
            raise Dead(answer.error_code)
        self.id, self.epoch, self.sequence = answer.producer_id, answer.producer_epoch, 0

    def init_request(self):
        return {
            "transactional_id": self.transactional_id(),
            "transaction_timeout_ms": 60000,
            "producer_id": -1,
            "producer_epoch": -1,
        }

    def coordinate(self, api, body, repeated):
        """Ask the coordinator until it answers other than that it is not the one, or not ready."""
        answer = None
        for _ in range(MOST_TRIES):
            if self.coordinator is None and self.is_transactional and not self.find_coordinator():
                continue
            try:
                answer = self.ask(self.coordinator or self.leader, api, body)
            except ConnectionError:
                self.coordinator = None
                self.on_lost_end(api, body)
                continue
            error = self.error_of(answer)
            if error in {NOT_AVAILABLE, NOT_COORDINATOR}:
                self.on_elsewhere()
            elif error not in repeated:
                return answer
            else:
                self.world.clock.sleep(0.05)
        return answer

    def on_lost_end(self, _api, _body):
        """Do nothing but ask again."""

    def on_elsewhere(self):
        self.coordinator = None

    def error_of(self, answer):
        if hasattr(answer, "results_by_topic_v3_and_below"):
            return answer.results_by_topic_v3_and_below[0].results_by_partition[0].partition_error_code
        return answer.error_code

    def find_coordinator(self):
        found = self.ask(
            self.leader, "find_coordinator", {"key_type": 1, "coordinator_keys": [self.topic]}
        ).coordinators[0]
        if found.error_code:
            self.world.clock.sleep(0.05)
            return False
        self.coordinator = self.world.connect(found.node_id)
        return True

    def transaction(self, values, *, commits):
        self.added = self.written = False
        try:
            for value in values:
                self.write(value)
            if commits:
                self.end(committed=True)
                self.told.extend([*(f"sent {value}" for value in values), "committed"])
                return
        except Failed as failed:
            self.told.append(f"failed {failed}")
        self.abort()

    def abort(self):
        self.end(committed=False)
        self.told.append("aborted")

    def write(self, value):
        if not self.is_v2 and not self.added:
            self.add()
        error = self.send([value])
        if error:
            self.on_unwritten(error)
        self.written = True

    def on_unwritten(self, error):
        raise Failed(error)

    def add(self):
        said = {"transactional_id": self.topic, "producer_id": self.id, "producer_epoch": self.epoch}
        body = {f"v3_and_below_{name}": value for name, value in said.items()}
        body["v3_and_below_topics"] = [{"name": self.topic, "partitions": [0]}]
        error = self.error_of(self.coordinate("add_partitions_to_txn", body, self.repeated()))
        if error:
            self.on_unadded(error)
        self.added = True

    def repeated(self):
        return {LOADING, CONCURRENT}

    def on_unadded(self, error):
        if error == 29:  # of the topic
            raise Failed(error)
        self.told.append(f"failed {error}")
        raise Dead(error)

    def end(self, *, committed):
        if not self.is_v2 and not (self.added or self.written):
            return
        body = {
            "transactional_id": self.topic,
            "producer_id": self.id,
            "producer_epoch": self.epoch,
            "committed": committed,
        }
        answer = self.coordinate("end_txn", body, self.repeated())
        if answer.error_code == ABORTABLE:
            raise Failed(answer.error_code)
        if answer.error_code:
            self.on_end_error(answer.error_code)
            return
        if self.is_v2:
            self.on_next_epoch(answer)

    def on_end_error(self, code):
        self.told.append(f"failed {code}")
        raise Dead(code)

    def on_next_epoch(self, answer):
        self.epoch, self.sequence = answer.producer_epoch, 0
