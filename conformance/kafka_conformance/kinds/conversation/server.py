"""Follows the steps of a conversation on a broker, and notes what the client asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic
from typing import Any, Final

from kafka_tools.server.error_codes import MEMBER_ID_REQUIRED
from kafka_tools.server.interference import Interference
from kafka_tools.server.sessions import WantedPartition
from kafka_tools.server.settings import Range, ranges
from kafka_tools.server.state import Call
from kafka_tools.server.topics import Topic, end_offset

from kafka_conformance.kinds.conversation.answers import change_body, missing_field
from kafka_conformance.kinds.conversation.frame_faults import framing
from kafka_conformance.kinds.conversation.request_fields import fields_of, plain
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest, PlayedStep, RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation, Step
from kafka_conformance.kinds.conversation.shapes import misfit

_OF_TOPICS: Final = {"fetch", "list_offsets", "offset_for_leader_epoch", "share_fetch"}
"""APIs that only count if they name the topic."""

_OF_COMMIT: Final = "generation_id_or_member_epoch"
"""What a commit calls the epoch of a member."""

_TOLD: Final = (
    "member_id",
    "member_epoch",
    "generation_id",
    "producer_id",
    "producer_epoch",
    "client_instance_id",
    "subscription_id",
    "endpoint_information_epoch",
)
"""What an answer may tell that later requests repeat."""


class ConversationServer:
    """Plays the steps, one after another, at the requests that they wait for.

    Attributes:
        seen: what the client did so far.
    """

    def __init__(self, conversation: Conversation, topic: Topic) -> None:
        """Prepare a conversation about a topic."""
        self.seen = RequestsSeen()
        self._steps = [(number, step) for number, step in enumerate(conversation.steps) for _ in range(step.times)]
        self._topic = topic
        self._group = conversation.settings.get("group", "")
        self._versions: Mapping[str, Range] = conversation.versions
        self._told: dict[str, Any] = {}

    @property
    def is_over(self) -> bool:
        """True once every step was played."""
        return not self._steps

    def __call__(self, call: Call) -> Interference:
        """Note a request, and return what is done to its answer."""
        call.state.is_refusing = False
        asked = replace(self._note_request(call), fields=fields_of(call), told=dict(self._told))
        self.seen.requests.append(asked)
        self._end_repeats(call.api)
        if not self._steps or not self._is_due(self._steps[0][1], call, asked):
            return Interference(change=self._note_answer)
        number, step = self._steps[0] if self._steps[0][1].until else self._steps.pop(0)
        played = PlayedStep(
            number, len(self.seen.requests), call.connection.number, missing_field=missing_field(step, call)
        )
        self.seen.steps.append(played)
        self._change(step, call)
        call.state.is_refusing = step.is_unseen or step.says_error

        def sent() -> None:
            played.sent_at = monotonic()

        said = change_body(step, call, self._topic, asked.offset)

        def change(body: Any) -> Any:
            return self._note_answer(said(body))

        return framing(step.frame, {"change": change, "on_sent": sent})

    def _end_repeats(self, api: str) -> None:
        """Go on behind a step that was repeated until this API is asked."""
        if self._steps and self._steps[0][1].until == api and self.seen.times(self._steps[0][0]):
            del self._steps[0]

    def next_deed(self) -> str:
        """Return what the application is to do now, and go on to the next step; empty: nothing."""
        if not self._steps or not self._steps[0][1].do or len(self.seen.got.records) < self._steps[0][1].records:
            return ""
        number, step = self._steps.pop(0)
        self.seen.steps.append(PlayedStep(number, len(self.seen.requests), 0))
        return step.do

    def _note_answer(self, body: Any) -> Any:
        """Remember what the broker tells of members and producers."""
        told = {name: plain(getattr(body, name)) for name in _TOLD if name in body._fields}
        if getattr(body, "error_code", 0) == MEMBER_ID_REQUIRED:
            self._told.update(member_id=body.member_id)
        if not getattr(body, "error_code", 0):
            epochs = [told[name] for name in ("member_epoch", "generation_id") if name in told]
            self._told.update(told, **{_OF_COMMIT: epochs[0]} if epochs else {})
        return body

    def _is_due(self, step: Step, call: Call, asked: ClientRequest) -> bool:
        if call.api not in {step.request, step.instead} or len(self.seen.got.records) < step.records:
            return False
        if (step.within and asked.session_epoch <= 0) or misfit(step.when, asked):
            return False
        return (
            asked.is_about
            or call.api not in _OF_TOPICS
            or (call.api not in {"fetch", "share_fetch"} and self._named_partition(call) is not None)
        )

    def _change(self, step: Step, call: Call) -> None:
        """Change the cluster, as the step says."""
        topic, change = self._topic, step.change
        if "log" in change:
            topic.data = bytes.fromhex(change["log"])
            topic.end_offset = end_offset(topic.data)
        topic.first_offset = int(change.get("first_offset", topic.first_offset))
        topic.leader = change.get("leader", topic.leader)
        topic.leader_epoch = change.get("leader_epoch", topic.leader_epoch)
        if "made" in change:
            call.state.topics.remove(topic.name)
            call.state.groups.forget(topic.name)
            topic.made = change["made"]
            call.state.topics.add(topic)
        if change.get("gone"):
            call.state.topics.remove(topic.name)
        if "assign" in change:
            call.state.members.standby = frozenset(change.get("standby", ()))
            call.state.members.warmup = frozenset(change.get("warmup", ()))
            call.state.members.assign(change["assign"])
        if "group_epoch" in change:
            call.state.members.raise_epoch()
        if "locks" in change:
            call.state.shares.end_locks()
        if "taken" in change:
            call.state.shares.give_other(self._group, topic.topic_id, change["taken"])
        call.state.coordinator = change.get("coordinator", call.state.coordinator)
        topic.last_stable_offset = change.get("last_stable_offset", topic.last_stable_offset)
        if "versions" in change:
            versions = {**self._versions, **{api: (low, high) for api, (low, high) in change["versions"].items()}}
            call.state.settings = replace(call.state.settings, versions=ranges(chosen=versions))

    def _named_partition(self, call: Call) -> Any | None:
        """Return what a request says of the topic's partition; None if it does not name it."""
        for topic in call.field("topics") or ():
            name, identity = (getattr(topic, field, None) for field in ("topic", "topic_id"))
            name = name or getattr(topic, "name", None)
            if name == self._topic.name or (identity is not None and bytes(identity) == self._topic.topic_id):
                return next((partition for partition in getattr(topic, "partitions", ())), topic)
        return None

    def _note_request(self, call: Call) -> ClientRequest:
        seen = (call.api, call.version, call.connection.node, call.connection.number, monotonic())
        if call.api == "offset_commit":
            offset, epoch = self._committed_position(call)
            return ClientRequest(*seen, offset=offset, leader_epoch=epoch, member=call.field("member_id", ""))
        if call.api == "share_fetch":
            is_about = self._shares_topic(call)
            return ClientRequest(*seen, is_about=is_about, member=call.body.member_id or "")
        if call.api != "fetch":
            return ClientRequest(*seen, member=call.field("member_id", ""))
        number, epoch = call.field("session_id", 0), call.field("session_epoch", -1)
        within: dict[str, Any] = {"session_id": number, "session_epoch": epoch}
        within["is_forgotten"] = self._is_forgotten(call)
        named = self._named_partition(call)
        if named is not None:
            leader_epoch = getattr(named, "current_leader_epoch", -1)
            return ClientRequest(*seen, is_about=True, offset=named.fetch_offset, leader_epoch=leader_epoch, **within)
        kept = None if epoch <= 0 or within["is_forgotten"] else self._partition_in_session(call, number)
        if kept is None:
            return ClientRequest(*seen, **within)
        within |= {"offset": kept.offset, "leader_epoch": kept.leader_epoch, "is_named": False}
        return ClientRequest(*seen, is_about=True, **within)

    def _committed_position(self, call: Call) -> tuple[int, int]:
        """Return offset and leader epoch that a request commits for the topic; -1 for none."""
        named = self._named_partition(call)
        return getattr(named, "committed_offset", -1), getattr(named, "committed_leader_epoch", -1)

    def _shares_topic(self, call: Call) -> bool:
        """Tell whether a request is for records of the topic, by its words or by its session."""
        if call.body.share_session_epoch < 0 or self._is_forgotten(call):
            return False
        session = call.state.shares.find(call.body.group_id, call.body.member_id)
        is_kept = call.body.share_session_epoch > 0 and session is not None and self._topic.topic_id in session.topics
        return is_kept or self._named_partition(call) is not None

    def _partition_in_session(self, call: Call, number: int) -> WantedPartition | None:
        """Return what the session has of the topic."""
        session = call.state.sessions.find(number)
        keys = {(self._topic.name, 0), (self._topic.topic_id, 0)}
        kept = session.partitions.items() if session else ()
        return next((wanted for key, wanted in kept if (_plain(key[0]), key[1]) in keys), None)

    def _is_forgotten(self, call: Call) -> bool:
        return any(
            getattr(topic, "topic", None) == self._topic.name
            or bytes(getattr(topic, "topic_id", b"")) == self._topic.topic_id
            for topic in call.field("forgotten_topics_data", ())
        )


def _plain(identity: object) -> object:
    return bytes(identity) if isinstance(identity, bytes | bytearray | memoryview) else identity
