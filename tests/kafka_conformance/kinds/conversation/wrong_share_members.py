"""Members of share groups that do one thing wrong, each with the conversation that tells."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from kafka_format import records

from tests.kafka_conformance.kinds.conversation.member import FENCED, FOUND_ELSEWHERE, LOADING, UNKNOWN_MEMBER
from tests.kafka_conformance.kinds.conversation.share_member import NOT_LEADER, TYPES, ShareMember

Method = Callable[..., Any]

NOT_FOUND, OTHER_EPOCH, LIMIT = 122, 123, 133
"""SHARE_SESSION_NOT_FOUND, INVALID_SHARE_SESSION_EPOCH, SHARE_SESSION_LIMIT_REACHED."""


def wrong(**methods: Method) -> type[ShareMember]:
    """Return the kind of members that have other methods."""
    return type("WrongShareMember", (ShareMember,), methods)


def _nothing(_self: ShareMember, *_more: object) -> None:
    return None


def _always(**fields: object) -> Method:
    return lambda self: {**ShareMember.request(self), **fields}


def _on_error(codes: set[int], do: Callable[[ShareMember], object]) -> Method:
    def on_error(self: ShareMember, code: int) -> None:
        do(self) if code in codes else ShareMember.on_error(self, code)

    return on_error


def _renamed(self: ShareMember) -> None:
    self.rejoin()
    self.id = str(uuid.uuid4())


def _drops(self: ShareMember) -> None:
    self.is_over = True


def _on_session_error(codes: set[int], do: Callable[[ShareMember, int, Any], object]) -> Method:
    def on_session_error(self: ShareMember, node: int, sent: Any, code: int) -> None:
        do(self, node, sent) if code in codes else ShareMember.on_session_error(self, node, sent, code)

    return on_session_error


def _goes_on(self: ShareMember, node: int, _sent: Any) -> None:
    self.sessions[node].epoch += 1


def _says_again(self: ShareMember, _node: int, sent: Any, *_code: int) -> None:
    for identity, said in sent.items():
        self.said[identity].update(said)


def _loses_and_says_again(self: ShareMember, node: int, sent: Any) -> None:
    ShareMember.on_lost_session(self, node, {})
    _says_again(self, node, sent)


def _loses_silently(self: ShareMember, node: int, _sent: Any) -> None:
    self.sessions.pop(node)


def _names_nothing_at_opening(self: ShareMember, session: Any, sent: Any, more: Any = ()) -> Any:
    return ShareMember.of_session(self, session, sent, more if session.epoch else ())


def _with_epoch(epoch: Callable[[int], int]) -> Method:
    def of_session(self: ShareMember, session: Any, sent: Any, more: Any = ()) -> Any:
        asked = ShareMember.of_session(self, session, sent, more)
        return {**asked, "share_session_epoch": epoch(session.epoch)}

    return of_session


def _with_id(self: ShareMember, session: Any, sent: Any, more: Any = ()) -> Any:
    return {**ShareMember.of_session(self, session, sent, more), "member_id": "another"}


def _says_always(kind: str) -> Method:
    def batches(_self: ShareMember, _identity: bytes, said: dict[int, int]) -> Any:
        return [{"first_offset": at, "last_offset": at, "acknowledge_types": [TYPES[kind]]} for at in sorted(said)]

    return batches


def _one_type(_self: ShareMember, _identity: bytes, said: dict[int, int]) -> Any:
    if not said:
        return []
    return [{"first_offset": min(said), "last_offset": max(said), "acknowledge_types": [said[min(said)]]}]


def _says_twice(self: ShareMember, node: int) -> Any:
    sent = ShareMember.take_said(self, node)
    if sent and not getattr(self, "said_twice", False):
        self.said_twice = True
        _says_again(self, node, sent)
    return sent


def _without_renewals(self: ShareMember, _identity: bytes, said: dict[int, int]) -> Any:
    kept = {at: kind for at, kind in said.items() if kind == TYPES["renew"] or TYPES["renew"] not in said.values()}
    return ShareMember.batches(self, _identity, kept)


def _delivers_all(self: ShareMember, identity: bytes, partition: Any) -> None:
    for record in records.decode(bytes(partition.records or b"")):
        if not record.control:
            self.deliver_record(identity, record, 1)


def _delivers_once(self: ShareMember, identity: bytes, record: Any, count: int) -> None:
    if not self.deliveries[identity, record.offset]:
        ShareMember.deliver_record(self, identity, record, count)


def _counts_itself(self: ShareMember, identity: bytes, record: Any, _count: int) -> None:
    ShareMember.deliver_record(self, identity, record, 1)


def _tells_success(self: ShareMember, identity: bytes, said: Any, _error: int) -> None:
    self.tell_acknowledged(identity, said, 0)


def _commit_is_done(self: ShareMember, _deed: str) -> None:
    ShareMember.do(self, _deed)
    self.events[-1] = "committed"


def _commit_says_nothing(self: ShareMember, _deed: str) -> None:
    self.events.append("committed")


def _stays(self: ShareMember, node: int, identity: bytes, partition: Any, sent: Any) -> None:
    if partition.error_code == NOT_LEADER:
        return
    ShareMember.take_partition(self, node, identity, partition, sent)


def _keeps_epoch(self: ShareMember, answer: Any) -> None:
    epoch = self.epoch
    ShareMember.take(self, answer)
    self.epoch = epoch or self.epoch


def _renames_on_hang_up(self: ShareMember) -> None:
    ShareMember.on_hang_up(self)
    self.id = str(uuid.uuid4())


def _rejoins_on_hang_up(self: ShareMember) -> None:
    ShareMember.on_hang_up(self)
    self.rejoin()


def _stops_at_hang_up(self: ShareMember, _node: int, _sent: Any) -> None:
    self.is_over = True


def _tells_late(self: ShareMember, _code: int) -> None:
    self.is_over = True


def _wants_all(self: ShareMember) -> set[bytes]:
    return {topic.topic_id for topic in self.world.broker.state.topics}


def _wants_what_it_had(self: ShareMember) -> set[bytes]:
    self.had = getattr(self, "had", set()) | self.owned
    return self.had


def _keeps_its_session(_self: ShareMember, _node: int) -> None:
    return None


def _fetches_without_renewal(self: ShareMember, node: int) -> None:
    ask = self.world.ask
    self.world.ask = lambda connection, api, body: ask(connection, api, {**body, "is_renew_ack": False})
    try:
        ShareMember.fetch_from(self, node)
    finally:
        self.world.ask = ask


def _fetches_with_all(self: ShareMember, node: int) -> None:
    ask = self.world.ask

    def with_all(connection: Any, api: str, body: Any) -> Any:
        for topic in body["topics"]:
            said = self.said.pop(topic["topic_id"], {}) if body.get("share_session_epoch") == 0 else {}
            topic["partitions"][0]["acknowledgement_batches"] += self.batches(topic["topic_id"], said)
        return ask(connection, api, body)

    self.world.ask = with_all
    try:
        ShareMember.fetch_from(self, node)
    finally:
        self.world.ask = ask


def _keeps_going(self: ShareMember, node: int, _sent: Any) -> None:
    self.sessions[node].epoch += 1


def _only_onwards(self: ShareMember, identity: bytes, record: Any, count: int) -> None:
    had = [offset for topic, offset in self.deliveries if topic == identity and self.deliveries[topic, offset]]
    if record.offset > max(had, default=-1):
        ShareMember.deliver_record(self, identity, record, count)


def _runs_together(self: ShareMember, identity: bytes, said: dict[int, int]) -> Any:
    if len(set(said.values())) > 1 or not said:
        return ShareMember.batches(self, identity, said)
    return [{"first_offset": min(said), "last_offset": max(said), "acknowledge_types": [said[min(said)]]}]


def _forgets_refusals(self: ShareMember, identity: bytes, said: Any, error: int) -> None:
    if not error:
        self.tell_acknowledged(identity, said, 0)


def _says_refused_again(self: ShareMember, identity: bytes, said: Any, error: int) -> None:
    self.tell_acknowledged(identity, said, error)
    if error:
        self.said[identity].update(said)


WRONG: dict[str, tuple[type[ShareMember], str]] = {
    "joins with epoch 1": (
        wrong(request=lambda self: {**ShareMember.request(self), "member_epoch": self.epoch or 1}),
        "joins",
    ),
    "joins with epoch -1": (
        wrong(request=lambda self: {**ShareMember.request(self), "member_epoch": self.epoch or -1}),
        "joins",
    ),
    "joins without an id": (wrong(id_to_send=lambda self: self.id if self.joined else ""), "joins"),
    "joins without names": (wrong(request=_always(subscribed_topic_names=[])), "joins"),
    "has a new id in each heartbeat": (wrong(id_to_send=lambda _self: str(uuid.uuid4())), "makes-its-id"),
    "fetches with another id": (wrong(of_session=_with_id), "makes-its-id"),
    "says epoch 0 always": (wrong(request=_always(member_epoch=0)), "steady"),
    "says its names always": (
        wrong(request=lambda self: {**ShareMember.request(self), "subscribed_topic_names": self.names}),
        "steady",
    ),
    "keeps its first epoch": (wrong(take=_keeps_epoch), "new-epoch"),
    "knows its own interval only": (wrong(interval=lambda _self, _answer: 0.1), "interval"),
    "fetches what it is not assigned": (wrong(wanted=_wants_all), "assigned-nothing"),
    "begins to fetch what comes later in the old epoch": (
        wrong(of_session=_with_epoch(lambda at: at + 1)),
        "assigned-later",
    ),
    "opens a session with epoch 1": (wrong(of_session=_with_epoch(lambda at: at + 1)), "opens-a-session"),
    "opens a session without partitions": (wrong(of_session=_names_nothing_at_opening), "opens-a-session"),
    "opens a session each time": (wrong(of_session=_with_epoch(lambda _at: 0)), "counts-epochs"),
    "keeps epoch 1": (wrong(of_session=_with_epoch(lambda at: min(at, 1))), "counts-epochs"),
    "counts by twos": (wrong(of_session=_with_epoch(lambda at: at * 2)), "counts-epochs"),
    "accepts nothing": (wrong(accept=_nothing), "accepts"),
    "rejects what it should accept": (wrong(batches=_says_always("reject")), "accepts"),
    "accepts twice": (wrong(take_said=_says_twice), "accepts"),
    "tells nobody that records are accepted": (wrong(on_acknowledged=_nothing), "accepts"),
    "accepts in version 2 only": (wrong(accept=_nothing), "accepts-in-version-1"),
    "accepts nothing that the application accepts": (wrong(accept=_nothing), "accepts-explicitly"),
    "accepts what is released": (wrong(batches=_says_always("accept")), "releases"),
    "delivers no record twice": (wrong(deliver_record=_delivers_once), "releases"),
    "does not tell how often it was delivered": (wrong(deliver_record=_counts_itself), "releases"),
    "releases what is rejected": (wrong(batches=_says_always("release")), "rejects"),
    "says one type for all": (wrong(batches=_one_type), "in-turn"),
    "accepts after the first time": (wrong(deliver_record=_delivers_once), "delivered-too-often"),
    "says nothing of gaps": (wrong(on_gap=_nothing), "gap"),
    "says nothing of markers": (wrong(on_gap=_nothing), "marker"),
    "delivers all bytes": (wrong(deliver=_delivers_all), "acquired-less"),
    "delivers nothing before what it has": (wrong(deliver_record=_only_onwards), "another-leaves"),
    "counts what another had as new": (wrong(deliver_record=_counts_itself), "another-leaves"),
    "accepts all from the first to the last": (wrong(batches=_runs_together), "another-releases-some"),
    "does not tell that another has the records": (wrong(on_acknowledged=_forgets_refusals), "another-has-them"),
    "says again what was refused": (wrong(on_acknowledged=_says_refused_again), "another-has-them"),
    "delivers once what it lost and got again": (wrong(deliver_record=_delivers_once), "another-had-them-for-a-while"),
    "takes the commit of what another has for done": (wrong(do=_commit_is_done), "commit-when-another-has-them"),
    "takes a lock that another has for renewed": (wrong(on_acknowledged=_tells_success), "renew-when-another-has-them"),
    "delivers aborted records": (wrong(deliver=_delivers_all), "aborted-records"),
    "accepts aborted records": (wrong(batches=_runs_together), "aborted-records"),
    "delivers what is only aborted": (wrong(deliver=_delivers_all), "only-aborted-records"),
    "counts deliveries itself": (wrong(deliver_record=_counts_itself), "counted"),
    "takes lost acknowledgements for taken": (wrong(on_acknowledged=_tells_success), "lock-ended"),
    "renews without saying so": (wrong(fetch_from=_fetches_without_renewal), "renews"),
    "loses acknowledgements beside renewals": (wrong(batches=_without_renewals), "renews"),
    "accepts instead of renewing": (
        wrong(
            batches=lambda self, identity, said: ShareMember.batches(
                self, identity, {at: 1 if kind == TYPES["renew"] else kind for at, kind in said.items()}
            )
        ),
        "renews",
    ),
    "commits at the next poll": (wrong(do=_commit_says_nothing), "commits"),
    "counts no epoch for acknowledgements": (
        wrong(
            acknowledge_alone=lambda self, node: (
                ShareMember.acknowledge_alone(self, node),
                setattr(self.sessions[node], "epoch", self.sessions[node].epoch - 1),
            )[0]
        ),
        "commits",
    ),
    "takes a late commit for done": (wrong(do=_commit_is_done), "commit-after-the-lock"),
    "takes a refused commit for done": (wrong(do=_commit_is_done), "commit-refused"),
    "commits in a session that is not there": (
        wrong(on_session_error=_on_session_error({NOT_FOUND}, _goes_on)),
        "commit-without-a-session",
    ),
    "commits on in another epoch": (
        wrong(on_session_error=_on_session_error({OTHER_EPOCH}, _goes_on)),
        "commit-of-another-epoch",
    ),
    "takes a commit without an answer for done": (wrong(do=_commit_is_done), "commit-hangs-up"),
    "goes on without a session": (wrong(on_session_error=_on_session_error({NOT_FOUND}, _goes_on)), "no-session"),
    "stops without a session": (
        wrong(on_session_error=_on_session_error({NOT_FOUND}, lambda self, *_: _drops(self))),
        "no-session",
    ),
    "goes on with its epoch": (wrong(on_session_error=_on_session_error({OTHER_EPOCH}, _goes_on)), "another-epoch"),
    "acknowledges when it opens a session": (
        wrong(
            on_session_error=_on_session_error({NOT_FOUND}, _loses_and_says_again),
            fetch_from=_fetches_with_all,
        ),
        "no-session-for-acknowledgements",
    ),
    "takes the limit of sessions for one": (
        wrong(on_session_error=_on_session_error({LIMIT}, _goes_on)),
        "session-limit",
    ),
    "gives up at the limit of sessions": (
        wrong(on_session_error=_on_session_error({LIMIT}, lambda self, *_: _drops(self))),
        "session-limit",
    ),
    "goes on in the old session after a hang-up": (wrong(on_lost_session=_keeps_going), "hangs-up"),
    "stops after a hang-up": (wrong(on_lost_session=_stops_at_hang_up), "hangs-up"),
    "loses acknowledgements silently": (wrong(on_lost_session=_loses_silently), "hangs-up-on-acknowledgements"),
    "says lost acknowledgements again": (
        wrong(on_lost_session=lambda self, node, sent: (self.sessions.pop(node), _says_again(self, node, sent))),
        "hangs-up-on-acknowledgements",
    ),
    "takes refused acknowledgements for taken": (wrong(on_acknowledged=_tells_success), "refused-acknowledgements"),
    "says refused acknowledgements again": (
        wrong(
            on_acknowledged=lambda self, identity, said, error: (
                ShareMember.on_acknowledged(self, identity, said, error),
                self.said[identity].update(said) if error else None,
            )
        ),
        "refused-acknowledgements",
    ),
    "fetches what was taken away": (wrong(wanted=_wants_what_it_had), "revoked"),
    "forgets nothing": (wrong(forgotten=lambda *_: []), "revoked"),
    "heeds no fencing": (wrong(on_error=_on_error({FENCED}, _nothing)), "fenced"),
    "ends when it is fenced": (wrong(on_error=_on_error({FENCED}, _drops)), "fenced"),
    "has another id when it was fenced": (wrong(on_error=_on_error({FENCED}, _renamed)), "fenced"),
    "heeds no unknown member": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _nothing)), "unknown-member"),
    "ends when it is unknown": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _drops)), "unknown-member"),
    "has another id when it is unknown": (wrong(on_error=_on_error({UNKNOWN_MEMBER}, _renamed)), "unknown-member"),
    "has another id while loading": (wrong(on_error=_on_error({LOADING}, _renamed)), "join-while-loading"),
    "ends while loading": (wrong(on_error=_on_error({LOADING}, _drops)), "loading"),
    "joins anew while loading": (wrong(on_error=_on_error({LOADING}, lambda self: self.rejoin())), "loading"),
    "stays with the coordinator": (wrong(on_error=_on_error(FOUND_ELSEWHERE, _nothing)), "elsewhere"),
    "joins anew at another coordinator": (
        wrong(on_error=_on_error(FOUND_ELSEWHERE, lambda self: (self.rejoin(), vars(self).update(coordinator=None)))),
        "moves",
    ),
    "has another id after a hang-up": (wrong(on_hang_up=_renames_on_hang_up), "join-hangs-up"),
    "joins anew after a hang-up": (wrong(on_hang_up=_rejoins_on_hang_up), "heartbeat-hangs-up"),
    "tells nobody that it may not": (wrong(end=_tells_late), "not-authorized"),
    "tells nobody that there are too many": (wrong(end=_tells_late), "too-many-members"),
    "tells nobody of an invalid request": (wrong(end=_tells_late), "invalid-request"),
    "tells nobody of a group that is not there": (wrong(end=_tells_late), "group-of-another-kind"),
    "tells nobody of an error that it does not know": (wrong(end=_tells_late), "error-of-a-later-release"),
    "stays with the leader": (wrong(take_partition=_stays), "leader-moved"),
    "takes acknowledgements for taken that the leader refused": (
        wrong(on_acknowledged=_tells_success),
        "leader-moved-with-acknowledgements",
    ),
    "keeps the old topic": (wrong(forgotten=lambda *_: []), "topic-made-anew"),
    "forgets no deleted topic": (wrong(forgotten=lambda *_: []), "topic-deleted"),
    "does not leave": (wrong(leave=_nothing), "leaves"),
    "does not close its session": (wrong(close_session=_keeps_its_session), "leaves"),
}
"""By what they do wrong: the member, and the conversation in which it shows."""
