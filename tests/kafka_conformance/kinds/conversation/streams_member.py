"""A member of a streams group in a few lines, for conversations that are held in this process."""

from __future__ import annotations

from tests.kafka_conformance.kinds.conversation.member import Member


class StreamsMember(Member):
    """A sound member; each topic is a part of its topology."""

    API = "streams_group_heartbeat"

    def __init__(self, world):
        super().__init__(world)
        self.idle = {"standby": [], "warmup": []}
        self.parts, self.ids, self.status, self.endpoints_epoch, self.wants_end = {}, {}, (), -1, False

    def assign(self, broker, isolation, topics, settings):
        super().assign(broker, isolation, topics, settings)
        self.parts = {str(number): name for number, name in enumerate(self.names)}
        for name in self.names:
            (topic,) = self.world.ask(self.leader, "metadata", {"topics": [{"name": name}]}).topics
            self.ids[name] = bytes(topic.topic_id)
            self.topics[self.ids[name]] = name

    def do(self, deed):
        if deed == "shutdown":
            self.wants_end = True
        else:
            super().do(deed)

    def tick(self):
        self.settings = {"commit": "manual", **self.settings}
        super().tick()

    # Heartbeats.

    def request(self):
        asked = {"group_id": self.settings["group"], "member_id": self.id_to_send(), "member_epoch": self.epoch}
        joins = self.epoch == 0
        host, _, port = self.settings.get("endpoint", "").partition(":")
        return {
            **asked,
            "endpoint_information_epoch": self.endpoints_epoch,
            "instance_id": self.settings.get("instance"),
            "rebalance_timeout_ms": 60000 if self.sends_all else -1,
            "topology": self.topology() if joins else None,
            "process_id": "process" if joins else None,
            "user_endpoint": {"host": host, "port": int(port)} if host and joins else None,
            "shutdown_application": self.shutdown(),
            **self.claims(),
        }

    def topology(self):
        empty = ("source_topic_regex", "state_changelog_topics", "repartition_sink_topics")
        none = {name: [] for name in (*empty, "repartition_source_topics", "copartition_groups")}
        parts = [{"subtopology_id": part, "source_topics": [name], **none} for part, name in self.parts.items()]
        return {"epoch": 0, "subtopologies": parts}

    def shutdown(self):
        return self.wants_end

    def claims(self):
        if not (self.sends_all or self.unsaid):
            return dict.fromkeys(("active_tasks", "standby_tasks", "warmup_tasks"))
        self.unsaid = False
        return {"active_tasks": self.tasks(self.claimed()), **self.idle_claims()}

    def idle_claims(self):
        return {
            f"{kind}_tasks": [{"subtopology_id": part, "partitions": [0]} for part in self.idle[kind]]
            for kind in self.idle
        }

    def tasks(self, identities):
        names = {self.topics.get(identity) for identity in identities}
        return [{"subtopology_id": part, "partitions": [0]} for part, name in self.parts.items() if name in names]

    def leave(self):
        if self.owned:
            self.tell("revoked", self.owned)
        asked = {**self.request(), "member_epoch": self.leave_epoch(), "topology": None}
        self.world.ask(self.coordinator, self.API, {**asked, "active_tasks": []})

    def take(self, answer):
        if answer.active_tasks is not None:
            self.take_idle(answer)
        super().take(answer)
        self.endpoints_epoch = answer.endpoint_information_epoch
        if answer.partitions_by_user_endpoint:
            there = (row.user_endpoint for row in answer.partitions_by_user_endpoint)
            self.events.append(" ".join(["endpoint", *(f"{each.host}:{each.port}" for each in there)]))
        status = tuple(each.status_code for each in answer.status or ())
        if status != self.status and status:
            self.on_status(status)
        self.status = status

    def take_idle(self, answer):
        said = {kind: [task.subtopology_id for task in getattr(answer, f"{kind}_tasks")] for kind in self.idle}
        self.unsaid, self.idle = self.unsaid or said != self.idle, said

    def on_status(self, status):
        self.events.append(" ".join(["status", *map(str, status)]))

    def assignment_of(self, answer):
        return answer.active_tasks

    def on_assignment(self, assignment):
        if any(task.subtopology_id not in self.parts for task in assignment):
            self.on_unknown_task()
            return
        self.target = {self.ids[self.parts[task.subtopology_id]] for task in assignment}

    def on_unknown_task(self):
        self.end(-1)
