"""Members of KIP-848 groups that do one thing wrong, each with the conversation that tells."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from tests.kafka_conformance.kinds.conversation.member import FENCED, FOUND_ELSEWHERE, LOADING, UNKNOWN_MEMBER, Member

Method = Callable[..., Any]


def wrong(**methods: Method) -> type[Member]:
    """Return the kind of members that have other methods."""
    return type("WrongMember", (Member,), methods)


def _joins_at(epoch: int) -> Method:
    def request(self: Member) -> Any:
        asked = Member.request(self)
        return {**asked, "member_epoch": epoch} if self.epoch == 0 else asked

    return request


def _always(**fields: object) -> Method:
    return lambda self: {**Member.request(self), **fields}


def _new_id_each_time(_self: Member) -> str:
    return str(uuid.uuid4())


def _on_error(codes: set[int], do: Callable[[Member], None]) -> Method:
    def on_error(self: Member, code: int) -> None:
        do(self) if code in codes else Member.on_error(self, code)

    return on_error


def _renamed(self: Member) -> None:
    self.rejoin()
    self.id = str(uuid.uuid4())


def _untold(self: Member) -> None:
    self.owned = set()
    self.rejoin()


def _rejoins_owning(self: Member) -> None:
    owned = set(self.owned)
    self.rejoin()
    self.owned = owned


def _nothing(_self: Member, *_more: object) -> None:
    return None


def _acknowledges_first(self: Member) -> None:
    self.owned -= self.giving_up
    self.unsaid, self.next_heartbeat = True, 0.0
    Member.begin_to_give_up(self)


def _null_is_empty(self: Member) -> None:
    before = self.world.clock
    asked = self.request()
    self.next_heartbeat = before() + 0.1
    answer = self.world.ask(self.coordinator, "consumer_group_heartbeat", asked)
    if answer.error_code:
        self.on_error(answer.error_code)
        return
    self.sends_all = False
    self.take(answer)
    if answer.assignment is None:
        self.target = set()
    else:
        self.on_assignment(answer.assignment)


def _empty_is_null(self: Member, assignment: Any) -> None:
    if assignment.topic_partitions:
        Member.on_assignment(self, assignment)


def _keeps_epoch(self: Member, answer: Any) -> None:
    epoch = self.epoch
    Member.take(self, answer)
    self.epoch = epoch or self.epoch


def _renames_on_hang_up(self: Member) -> None:
    Member.on_hang_up(self)
    self.id = str(uuid.uuid4())


def _rejoins_on_hang_up(self: Member) -> None:
    Member.on_hang_up(self)
    self.rejoin()


def _says_done(_self: Member, _errors: list[int]) -> list[int]:
    return [0]


def _resolves_all(self: Member, identity: bytes) -> bool:
    Member.resolve(self, identity)
    self.topics.setdefault(identity, "nowhere")
    return True


def _keeps_positions(self: Member) -> None:
    positions = dict(self.positions)
    Member.gave_up(self)
    self.positions |= positions


def _knows_topics_by_name(self: Member, identity: bytes) -> bool:
    is_known = Member.resolve(self, identity)
    if is_known and identity not in self.positions:
        for other in [other for other in self.positions if self.topics.get(other) == self.topics[identity]]:
            self.positions[identity] = self.positions[other]
    return is_known


def _gives_up_nothing(self: Member) -> None:
    kept = dict(self.positions)
    Member.gave_up(self)
    self.positions |= kept


def _rejoins_once(self: Member) -> None:
    if getattr(self, "has_rejoined", False):
        self.is_over = True
        return
    self.has_rejoined = True
    Member.rejoin(self)


def _claims_all(self: Member) -> list[bytes]:
    return [topic.topic_id for topic in self.world.broker.state.topics]


def _fetches_all(self: Member) -> set[bytes]:
    return set(self.topics)


def _drops(self: Member) -> None:
    self.is_over = True


def _tells_late(self: Member, _code: int) -> None:
    self.is_over = True


WRONG: dict[str, tuple[type[Member], str]] = {
    "joins with epoch -1": (wrong(request=_joins_at(-1)), "joins"),
    "joins with epoch 1": (wrong(request=_joins_at(1)), "joins"),
    "joins owning null": (
        wrong(claims=lambda self: {"topic_partitions": None} if not self.joined else Member.claims(self)),
        "joins",
    ),
    "joins without a rebalance timeout": (wrong(request=_always(rebalance_timeout_ms=-1)), "joins"),
    "joins without names": (wrong(subscription=lambda _self: {"subscribed_topic_names": []}), "joins"),
    "has no id before the broker gives one": (
        wrong(id_to_send=lambda self: "" if not self.joined else self.id),
        "makes-its-id",
    ),
    "has a new id in each heartbeat": (wrong(id_to_send=_new_id_each_time), "makes-its-id"),
    "does not take the id of the broker": (
        wrong(take=lambda self, answer: vars(self).update(epoch=answer.member_epoch, joined=True)),
        "takes-its-id",
    ),
    "acknowledges nothing": (
        wrong(claims=lambda self: {"topic_partitions": [] if not self.joined else None}),
        "acknowledges",
    ),
    "acknowledges before it fetches metadata": (wrong(resolve=_resolves_all), "unknown-topic-id"),
    "says epoch 0 always": (wrong(request=lambda self: {**Member.request(self), "member_epoch": 0}), "steady"),
    "knows its own interval only": (wrong(interval=lambda _self, _answer: 0.1), "interval"),
    "is not throttled": (wrong(on_throttle=_nothing), "throttled"),
    "acknowledges before the callback": (wrong(begin_to_give_up=_acknowledges_first), "revoked"),
    "tells of no revocation": (
        wrong(tell=lambda self, what, topics: None if what == "revoked" else Member.tell(self, what, topics)),
        "revoked",
    ),
    "calls a revocation a loss": (
        wrong(tell=lambda self, what, topics: Member.tell(self, what.replace("revoked", "lost"), topics)),
        "revoked",
    ),
    "fetches what it gave up": (wrong(wanted=_fetches_all, gave_up=_keeps_positions), "revoked-and-fetched-no-more"),
    "fetches all that it gave up": (wrong(wanted=_fetches_all, gave_up=_keeps_positions), "revoked-all"),
    "takes an empty assignment for none": (wrong(on_assignment=_empty_is_null), "revoked-all"),
    "takes no assignment for an empty one": (wrong(heartbeat=_null_is_empty), "no-assignment"),
    "begins at the beginning": (wrong(fetch_offset=lambda _self, _identity: -1), "goes-on"),
    "asks for no offset of what it gets back": (wrong(gave_up=_keeps_positions), "given-back"),
    "heeds no fencing": (wrong(on_error=_on_error({FENCED}, _nothing)), "fenced"),
    "ends when it is fenced": (wrong(on_error=_on_error({FENCED}, _drops)), "fenced"),
    "has another id when it was fenced": (wrong(on_error=_on_error({FENCED}, _renamed)), "fenced"),
    "tells no loss when it is fenced": (wrong(on_error=_on_error({FENCED}, _untold)), "fenced"),
    "joins again owning what it had": (wrong(on_error=_on_error({FENCED}, _rejoins_owning)), "fenced"),
    "heeds no unknown member": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _nothing)), "unknown-member"),
    "ends when it is unknown": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _drops)), "unknown-member"),
    "tells no loss when it is unknown": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _untold)), "unknown-member"),
    "leaves before it joins again": (
        wrong(rejoin=lambda self: (self.leave(), Member.rejoin(self))),
        "joins-again-while-loading",
    ),
    "has another id while loading": (wrong(on_error=_on_error({LOADING}, _renamed)), "join-while-loading"),
    "ends while loading": (wrong(on_error=_on_error({LOADING}, _drops)), "loading"),
    "loses all while loading": (wrong(on_error=_on_error({LOADING}, lambda self: self.rejoin())), "loading"),
    "stays with the coordinator": (wrong(on_error=_on_error(FOUND_ELSEWHERE, _nothing)), "elsewhere"),
    "stays with the one that is not available": (wrong(on_error=_on_error(FOUND_ELSEWHERE, _nothing)), "not-available"),
    "joins anew at another coordinator": (
        wrong(on_error=_on_error(FOUND_ELSEWHERE, lambda self: (self.rejoin(), vars(self).update(coordinator=None)))),
        "moves",
    ),
    "has another id after a hang-up": (wrong(on_hang_up=_renames_on_hang_up), "join-hangs-up"),
    "joins anew after a hang-up": (wrong(on_hang_up=_rejoins_on_hang_up), "hangs-up"),
    "joins anew after a late answer": (
        wrong(
            take=lambda self, answer: (
                self.rejoin() if self.world.clock() > self.next_heartbeat + 1 else Member.take(self, answer)
            )
        ),
        "late",
    ),
    "keeps its first epoch": (wrong(take=_keeps_epoch), "new-epoch"),
    "commits with its first epoch": (wrong(epoch_of_commit=lambda _self: 1), "commits-with-the-epoch"),
    "commits without an epoch": (wrong(epoch_of_commit=lambda _self: -1), "commits-with-the-epoch"),
    "takes a stale commit for done": (wrong(on_commit=_says_done), "commit-of-a-stale-epoch"),
    "takes a commit of an unknown member for done": (wrong(on_commit=_says_done), "commit-of-an-unknown-member"),
    "begins anew where offsets are stale": (wrong(on_offset_error=lambda _self, _code: -1), "offsets-of-a-stale-epoch"),
    "begins anew where offsets are unstable": (wrong(on_offset_error=lambda _self, _code: -1), "unstable-offset"),
    "begins anew where offsets are loading": (wrong(on_offset_error=lambda _self, _code: -1), "offsets-while-loading"),
    "sends no expression": (wrong(subscription=lambda _self: {"subscribed_topic_names": []}), "regex"),
    "sends names beside an expression": (
        wrong(subscription=lambda self: {**Member.subscription(self), "subscribed_topic_names": self.names}),
        "regex",
    ),
    "does not leave": (wrong(leave=_nothing), "leaves"),
    "leaves with epoch -2": (wrong(leave_epoch=lambda _self: -2), "leaves"),
    "leaves for ever as a static member": (wrong(leave_epoch=lambda _self: -1), "static-leaves"),
    "leaves without its instance id": (wrong(request=_always(instance_id=None)), "static-leaves"),
    "joins without its instance id": (wrong(request=_always(instance_id=None)), "static-joins"),
    "goes on joining as another instance is there": (wrong(end=_nothing), "unreleased-instance"),
    "goes on when its instance is fenced": (wrong(end=_nothing), "fenced-instance"),
    "tells nobody that it may not": (wrong(end=_tells_late), "not-authorized"),
    "tells nobody that there are too many": (wrong(end=_tells_late), "too-many-members"),
    "tells nobody of an error that it does not know": (wrong(end=_tells_late), "error-of-a-later-release"),
    "claims all that it subscribed to": (wrong(claimed=_claims_all), "assigned-nothing"),
    "fetches what it gave up at once": (wrong(wanted=_fetches_all, gave_up=_keeps_positions), "revoked-at-once"),
    "rejoins once": (wrong(rejoin=_rejoins_once), "fenced-twice"),
    "heeds no fencing of its acknowledgement": (
        wrong(on_error=_on_error({FENCED}, _nothing)),
        "fenced-while-acknowledging",
    ),
    "heeds no loss of its acknowledgement": (
        wrong(on_error=_on_error({UNKNOWN_MEMBER}, _nothing)),
        "unknown-member-while-acknowledging",
    ),
    "heeds no loss while it revokes": (
        wrong(on_error=_on_error({UNKNOWN_MEMBER}, _nothing)),
        "unknown-member-while-revoking",
    ),
    "joins at the old coordinator": (wrong(on_error=_on_error(FOUND_ELSEWHERE, _nothing)), "join-elsewhere"),
    "acknowledges nothing that comes later": (wrong(claimed=lambda _self: []), "regex-resolved-later"),
    "takes a new topic for the old one": (
        wrong(resolve=_knows_topics_by_name, gave_up=_gives_up_nothing),
        "topic-made-anew",
    ),
    **{
        f"tells nobody of {case}": (wrong(end=_tells_late), case)
        for case in (
            "group-of-another-kind",
            "invalid-regex",
            "invalid-request",
            "topic-not-authorized",
            "unsupported-assignor",
        )
    },
}
"""By what they do wrong: the member, and the conversation in which it shows."""
