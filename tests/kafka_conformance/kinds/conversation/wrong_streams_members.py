"""Members of streams groups that do one thing wrong, each with the conversation that tells."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from tests.kafka_conformance.kinds.conversation.member import FENCED, FOUND_ELSEWHERE, LOADING, UNKNOWN_MEMBER
from tests.kafka_conformance.kinds.conversation.streams_member import StreamsMember

Method = Callable[..., Any]


def wrong(**methods: Method) -> type[StreamsMember]:
    """Return the kind of members that have other methods."""
    return type("WrongStreamsMember", (StreamsMember,), methods)


def _nothing(_self: StreamsMember, *_more: object) -> None:
    return None


def _says(**fields: object) -> Method:
    return lambda self: {**StreamsMember.request(self), **fields}


def _joining(**fields: object) -> Method:
    return lambda self: {**StreamsMember.request(self), **({} if self.epoch else fields)}


def _on_error(codes: set[int], do: Callable[[StreamsMember], object]) -> Method:
    def on_error(self: StreamsMember, code: int) -> None:
        do(self) if code in codes else StreamsMember.on_error(self, code)

    return on_error


def _ends_silently(self: StreamsMember, *_more: object) -> None:
    self.is_over = True


def _renamed(self: StreamsMember) -> None:
    self.rejoin()
    self.id = str(uuid.uuid4())


def _untold(self: StreamsMember) -> None:
    self.owned = set()
    self.rejoin()


def _acknowledges_first(self: StreamsMember) -> None:
    self.owned -= self.giving_up
    self.unsaid, self.next_heartbeat = True, 0.0
    StreamsMember.begin_to_give_up(self)


def _keeps_positions(self: StreamsMember) -> None:
    positions = dict(self.positions)
    StreamsMember.gave_up(self)
    self.positions |= positions


def _keeps_epoch(self: StreamsMember, answer: Any) -> None:
    epoch = self.epoch
    StreamsMember.take(self, answer)
    self.epoch = epoch or self.epoch


def _forgets_endpoints(self: StreamsMember, answer: Any) -> None:
    StreamsMember.take(self, answer)
    self.endpoints_epoch = -1


def _loses_all(self: StreamsMember, status: Any) -> None:
    StreamsMember.on_status(self, status)
    self.lose()


def _takes_all(_self: StreamsMember, answer: Any) -> Any:
    return answer.active_tasks and [*answer.active_tasks, *answer.standby_tasks, *answer.warmup_tasks]


def _warms_nothing(self: StreamsMember, answer: Any) -> None:
    StreamsMember.take_idle(self, answer)
    self.idle = {"standby": [*self.idle["standby"], *self.idle["warmup"]], "warmup": []}


def _keeps_idle(self: StreamsMember, answer: Any) -> None:
    kept = self.idle["standby"]
    StreamsMember.take_idle(self, answer)
    self.idle["standby"] = kept or self.idle["standby"]


WRONG: dict[str, tuple[type[StreamsMember], str]] = {
    "joins with epoch -1": (wrong(request=_joining(member_epoch=-1)), "joins"),
    "joins without a topology": (wrong(topology=_nothing), "joins"),
    "joins without tasks": (wrong(request=_joining(active_tasks=None)), "joins"),
    "joins without a process": (wrong(request=_joining(process_id=None)), "joins"),
    "joins without a rebalance timeout": (wrong(request=_joining(rebalance_timeout_ms=-1)), "joins"),
    "wants the end at once": (wrong(shutdown=lambda _self: True), "joins"),
    "has a new id in each heartbeat": (wrong(id_to_send=lambda _self: str(uuid.uuid4())), "makes-its-id"),
    "has no id before the broker gives one": (
        wrong(id_to_send=lambda self: self.id if self.joined else ""),
        "makes-its-id",
    ),
    "acknowledges nothing": (wrong(tasks=lambda *_: []), "acknowledges"),
    "says its topology always": (
        wrong(request=lambda self: {**StreamsMember.request(self), "topology": self.topology()}),
        "steady",
    ),
    "says its process always": (wrong(request=_says(process_id="process")), "steady"),
    "says epoch 0 always": (wrong(request=_says(member_epoch=0)), "steady"),
    "knows its own interval only": (wrong(interval=lambda _self, _answer: 0.1), "interval"),
    "acknowledges before the callback": (wrong(begin_to_give_up=_acknowledges_first), "revoked"),
    "calls a revocation a loss": (
        wrong(tell=lambda self, what, topics: StreamsMember.tell(self, what.replace("revoked", "lost"), topics)),
        "revoked",
    ),
    "fetches what it gave up": (
        wrong(wanted=lambda self: set(self.topics), gave_up=_keeps_positions),
        "revoked-and-fetched-no-more",
    ),
    "takes no tasks for nothing new": (
        wrong(assignment_of=lambda _self, answer: answer.active_tasks or None),
        "revoked-all",
    ),
    "takes nothing new for no tasks": (
        wrong(assignment_of=lambda _self, answer: answer.active_tasks or []),
        "no-assignment",
    ),
    "begins at the beginning": (wrong(fetch_offset=lambda _self, _identity: -1), "goes-on"),
    "commits with its first epoch": (wrong(epoch_of_commit=lambda _self: 1), "commits"),
    "commits without an epoch": (wrong(epoch_of_commit=lambda _self: -1), "commits"),
    "keeps its first epoch": (wrong(take=_keeps_epoch), "no-assignment"),
    "heeds no fencing": (wrong(on_error=_on_error({FENCED}, _nothing)), "fenced"),
    "ends when it is fenced": (wrong(on_error=_on_error({FENCED}, _ends_silently)), "fenced"),
    "has another id when it was fenced": (wrong(on_error=_on_error({FENCED}, _renamed)), "fenced"),
    "tells no loss when it is fenced": (wrong(on_error=_on_error({FENCED}, _untold)), "fenced"),
    "joins again without its topology": (
        wrong(topology=lambda self: None if "lost pulse t1" in self.events else StreamsMember.topology(self)),
        "fenced",
    ),
    "heeds no unknown member": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _nothing)), "unknown-member"),
    "tells no loss when it is unknown": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _untold)), "unknown-member"),
    "stays with the coordinator": (wrong(on_error=_on_error(FOUND_ELSEWHERE, _nothing)), "elsewhere"),
    "loses all while loading": (wrong(on_error=_on_error({LOADING}, lambda self: self.rejoin())), "loading"),
    "joins anew after a hang-up": (
        wrong(on_hang_up=lambda self: (StreamsMember.on_hang_up(self), self.rejoin())),
        "hangs-up",
    ),
    "tells nobody that its topology is invalid": (wrong(end=_ends_silently), "invalid-topology"),
    "goes on with an old topology": (wrong(end=_nothing), "invalid-topology-epoch"),
    "goes on when its topology is fenced": (wrong(end=_nothing), "topology-fenced"),
    "tells nobody that it may not": (wrong(end=_ends_silently), "not-authorized"),
    "tells nobody that its group is gone": (wrong(end=_ends_silently), "group-of-another-kind"),
    "tells nobody that there are too many": (wrong(end=_ends_silently), "too-many-members"),
    "tells nobody that topics are missing": (wrong(on_status=_nothing), "missing-topics"),
    "loses its tasks where topics are missing": (wrong(on_status=_loses_all), "missing-topics"),
    "tells nobody that all are to end": (wrong(on_status=_nothing), "shuts-down"),
    "tells nobody that its topology is old": (wrong(on_status=_nothing), "stale-topology"),
    "ends alone": (wrong(shutdown=lambda _self: False), "wants-the-end"),
    "does not say where it can be asked": (wrong(request=_says(user_endpoint=None)), "endpoint"),
    "forgets which endpoints it knows": (wrong(take=_forgets_endpoints), "other-endpoints"),
    "says nothing of standby": (wrong(take_idle=_nothing), "standby"),
    "takes standby for its own": (wrong(assignment_of=_takes_all), "standby"),
    "takes warming up for standby": (wrong(take_idle=_warms_nothing), "warmup"),
    "keeps a task in standby": (wrong(take_idle=_keeps_idle), "standby-becomes-active"),
    "keeps a task that is to be in standby": (wrong(assignment_of=_takes_all), "active-becomes-standby"),
    "drops a task that it does not know": (wrong(on_unknown_task=_nothing), "unknown-task"),
    "does not leave": (wrong(leave=_nothing), "leaves"),
    "leaves for a while": (wrong(leave_epoch=lambda _self: -2), "leaves"),
    "leaves for ever as a static member": (wrong(leave_epoch=lambda _self: -1), "static"),
    "joins without its instance id": (wrong(request=_says(instance_id=None)), "static"),
    "goes on joining as another instance is there": (wrong(end=_nothing), "unreleased-instance"),
}
"""By what they do wrong: the member, and the conversation in which it shows."""
