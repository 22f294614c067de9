"""Members of classic groups that do one thing wrong, each with the conversation that tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.kafka_conformance.kinds.conversation.classic_member import ILLEGAL_GENERATION, REBALANCING, ClassicMember
from tests.kafka_conformance.kinds.conversation.member import FOUND_ELSEWHERE, UNKNOWN_MEMBER

Method = Callable[..., Any]


def wrong(**methods: Method) -> type[ClassicMember]:
    """Return the kind of members that have other methods."""
    return type("WrongClassicMember", (ClassicMember,), methods)


def _nothing(_self: ClassicMember, *_more: object) -> None:
    return None


def _ends(self: ClassicMember, *_more: object) -> None:
    self.is_over = True


def _at(name: str, codes: set[int], do: Callable[[ClassicMember], object]) -> dict[str, Method]:
    """Return what makes a member do something else at an error."""
    usual = getattr(ClassicMember, name)

    def on_error(self: ClassicMember, code: int) -> None:
        do(self) if code in codes else usual(self, code)

    return {name: on_error}


def _of_generation(**fields: object) -> Method:
    return lambda self: {**ClassicMember.of_generation(self), **fields}


def _first_generation(self: ClassicMember) -> Any:
    self.first = getattr(self, "first", self.epoch)
    return {**ClassicMember.of_generation(self), "generation_id": self.first}


def _forgets_its_id(self: ClassicMember) -> None:
    self.joined, self.id = False, ""


def _loses(self: ClassicMember) -> None:
    self.joined, self.has_lost = False, True


def _joins_silently(self: ClassicMember) -> None:
    self.joined = False


def _joins_first(self: ClassicMember) -> None:
    pending, self.owned = set(self.owned), set()
    callback = int(self.settings.get("callback", 0)) / 1000
    self.settings = {**self.settings, "callback": "0"}
    self.owned = pending
    ClassicMember.prepare(self)
    self.late = callback


def _revokes_all(self: ClassicMember, assigned: Any) -> None:
    if self.owned:
        self.revoke(set(self.owned))
    ClassicMember.take_assignment(self, assigned)


def _keeps_all(self: ClassicMember, assigned: Any) -> None:
    ClassicMember.take_assignment(self, assigned | self.owned)


def _stays_revoked(self: ClassicMember) -> None:
    self.joined = True


def _tells_lost_for_revoked(self: ClassicMember, what: str, topics: Any) -> None:
    ClassicMember.tell(self, what.replace("revoked", "lost"), topics)


def _tells_revoked_for_lost(self: ClassicMember, what: str, topics: Any) -> None:
    ClassicMember.tell(self, what.replace("lost", "revoked"), topics)


def _says_done(_self: ClassicMember, _errors: list[int]) -> list[int]:
    return [0]


def _loses_at_hang_up(self: ClassicMember) -> None:
    ClassicMember.on_hang_up(self)
    self.joined, self.id, self.epoch = False, "", -1


FAILED_COMMITS = ("of-an-old-generation", "while-rebalancing", "of-an-unknown-member", "not-authorized")

WRONG: dict[str, tuple[type[ClassicMember], str]] = {
    "joins without the id that it was given": (
        wrong(who=lambda self: {**ClassicMember.who(self), "member_id": "" if self.epoch < 0 else self.id}),
        "member-id-required",
    ),
    "joins with an id of its own": (
        wrong(take_id=lambda self, _name: vars(self).update(id="mine")),
        "member-id-required",
    ),
    "keeps an id that nobody knows": (wrong(**_at("on_join_error", {UNKNOWN_MEMBER}, _nothing)), "join-unknown-member"),
    "ends when its id is not known": (wrong(**_at("on_join_error", {UNKNOWN_MEMBER}, _ends)), "join-unknown-member"),
    "sends heartbeats without its id": (wrong(of_generation=_of_generation(member_id="")), "heartbeat-says-who"),
    "sends heartbeats of generation 0": (wrong(of_generation=_of_generation(generation_id=0)), "heartbeat-says-who"),
    "asks for its assignment without its id": (wrong(of_generation=_of_generation(member_id="")), "sync-says-who"),
    "asks for an assignment of generation 0": (wrong(of_generation=_of_generation(generation_id=0)), "sync-says-who"),
    "keeps its first generation": (wrong(of_generation=_first_generation), "new-generation"),
    "heeds no rebalance": (wrong(**_at("on_heartbeat_error", {REBALANCING}, _nothing)), "new-generation"),
    "commits with generation -1": (wrong(epoch_of_commit=lambda _self: -1), "commit-says-who"),
    "joins without revoking": (wrong(prepare=_nothing), "eager"),
    "calls a revocation a loss": (wrong(tell=_tells_lost_for_revoked), "eager"),
    "joins as another member": (wrong(**_at("on_heartbeat_error", {REBALANCING}, _forgets_its_id)), "eager"),
    "stays away from a rebalance": (wrong(**_at("on_heartbeat_error", {REBALANCING}, _nothing)), "eager"),
    "joins before its callback is done": (wrong(prepare=_joins_first), "eager-callback-first"),
    "revokes all": (wrong(take_assignment=_revokes_all), "cooperative-keeps"),
    "loses all in a rebalance": (wrong(**_at("on_heartbeat_error", {REBALANCING}, _loses)), "cooperative-keeps"),
    "keeps what is gone": (wrong(take_assignment=_keeps_all), "cooperative-revokes"),
    "does not join after a revocation": (wrong(rejoin_after_revocation=_stays_revoked), "cooperative-revokes"),
    "revokes what stays": (wrong(take_assignment=_revokes_all), "cooperative-revokes"),
    "heeds no old generation": (
        wrong(**_at("on_heartbeat_error", {ILLEGAL_GENERATION}, _nothing)),
        "illegal-generation",
    ),
    "keeps all of an old generation": (
        wrong(**_at("on_heartbeat_error", {ILLEGAL_GENERATION}, _joins_silently)),
        "illegal-generation",
    ),
    "calls a loss a revocation": (wrong(tell=_tells_revoked_for_lost), "illegal-generation"),
    "ends when it is unknown": (wrong(**_at("on_heartbeat_error", {UNKNOWN_MEMBER}, _ends)), "unknown-member"),
    "joins with its old id": (wrong(**_at("on_heartbeat_error", {UNKNOWN_MEMBER}, _loses)), "unknown-member"),
    "takes an old generation for the end": (
        wrong(**_at("on_sync_error", {ILLEGAL_GENERATION}, _ends)),
        "sync-illegal-generation",
    ),
    "asks the old coordinator for ever": (wrong(**_at("on_sync_error", FOUND_ELSEWHERE, _nothing)), "sync-elsewhere"),
    "ends when SyncGroup hangs up": (wrong(on_hang_up=_ends), "sync-hangs-up"),
    "ends when JoinGroup hangs up": (wrong(on_hang_up=_ends), "join-hangs-up"),
    "is another member after a hang-up": (wrong(on_hang_up=_loses_at_hang_up), "heartbeat-hangs-up"),
    "ends when a heartbeat hangs up": (wrong(on_hang_up=_ends), "heartbeat-hangs-up"),
    **{f"takes a commit {case} for done": (wrong(on_commit=_says_done), f"commit-{case}") for case in FAILED_COMMITS},
    "does not leave": (wrong(leave=_nothing), "leaves"),
    "leaves as nobody": (
        wrong(leave=lambda self: (vars(self).update(id=""), ClassicMember.leave(self))),
        "leaves",
    ),
    "leaves though it is static": (wrong(stop=ClassicMember.leave), "static-stays"),
    "joins without its instance id": (
        wrong(who=lambda self: {**ClassicMember.who(self), "group_instance_id": None}),
        "static-joins",
    ),
}
"""By what they do wrong: the member, and the conversation in which it shows."""
