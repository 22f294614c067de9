"""Producers that do one thing wrong, each with the conversation that tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.kafka_conformance.kinds.conversation.writer import FORGOTTEN, RETRIED, Dead, Failed, Writer


def wrong(**methods: Callable[..., Any]) -> type[Writer]:
    """Return the kind of producers that have other methods."""
    return type("WrongWriter", (Writer,), methods)


def _skips(self: Writer, error: object) -> None:
    Writer.before_retry(self, error)
    self.sequence += 1


def _bumps(self: Writer, error: object) -> None:
    Writer.before_retry(self, error)
    self.epoch, self.sequence = self.epoch + 1, 0


def _without_sequence(_self: Writer, _values: list[str], _error: object) -> int:
    return 0


def _gives_up(codes: set[object]) -> Callable[..., Any]:
    def send(self: Writer, values: list[str]) -> object:
        error = self.try_to_send(values)
        if error in codes:
            return error
        return self.on_sent(values, error) if error == 0 else error

    return send


def _takes_for_sent(codes: set[object]) -> Callable[..., Any]:
    def try_to_send(self: Writer, values: list[str]) -> object:
        error = Writer.try_to_send(self, values)
        return 0 if error in codes else error

    return try_to_send


def _commits_all_the_same(self: Writer, error: object) -> None:
    """Write on as if nothing had been refused."""


def _tells_and_goes_on(self: Writer, code: int) -> None:
    self.told.append(f"failed {code}")


def _says_done(self: Writer, code: int) -> None:
    """Take an error for success."""


def _writes_without_an_id(self: Writer) -> None:
    try:
        Writer.init(self)
    except Dead:
        self.id, self.epoch = 1, 0


def _rises_when_lost(self: Writer, api: str, body: dict[str, Any]) -> None:
    if api == "end_txn":
        self.epoch += 1
        body["producer_epoch"] += 1


def _gives_up_end(_self: Writer, api: str, _body: dict[str, Any]) -> None:
    if api == "end_txn":
        raise Dead("lost")


def _keeps_sequence(self: Writer, answer: Any) -> None:
    self.epoch = answer.producer_epoch


def _abandons_silently(self: Writer) -> None:
    self.told.append("aborted")


def _commits_an_abort(self: Writer) -> None:
    self.end(committed=True)
    self.told.append("aborted")


def _adds_later(self: Writer, value: str) -> None:
    error = self.send([value])
    if not self.added:
        self.add()
    if error:
        self.on_unwritten(error)
    self.written = True


def _adds_always(self: Writer, value: str) -> None:
    self.add()
    Writer.write(self, value)


def _nothing(*_given: object) -> None:
    return None


def _once(self: Writer) -> None:
    answer = self.ask(self.leader, "init_producer_id", self.init_request())
    if answer.error_code:
        raise Dead(answer.error_code)
    self.id, self.epoch, self.sequence = answer.producer_id, answer.producer_epoch, 0


def _fatal_end(self: Writer, *, committed: bool) -> None:
    try:
        Writer.end(self, committed=committed)
    except Failed as failed:
        raise Dead(failed) from None


WRONG: dict[str, tuple[type[Writer], str]] = {
    "has no sequences": (wrong(on_sent=_without_sequence), "idempotence/plain"),
    "begins at sequence 1": (
        wrong(init=lambda self: (Writer.init(self), vars(self).update(sequence=1))),
        "idempotence/plain",
    ),
    "has an epoch of its own": (
        wrong(init=lambda self: (Writer.init(self), vars(self).update(epoch=5))),
        "idempotence/plain",
    ),
    "counts again what it sends again": (wrong(before_retry=_skips), "idempotence/lost-request"),
    "sends what was lost under a new epoch": (wrong(before_retry=_bumps), "idempotence/lost-answer"),
    "sends the first batch under a new epoch": (wrong(before_retry=_bumps), "idempotence/first-answer-lost"),
    "sends what was lost twice under a new epoch": (wrong(before_retry=_bumps), "idempotence/lost-twice"),
    "sends what was late under a new epoch": (wrong(before_retry=_bumps), "idempotence/late"),
    "gives up what was lost": (wrong(send=_gives_up({"hung up"})), "idempotence/lost-answer"),
    "takes what was lost for sent": (wrong(try_to_send=_takes_for_sent({"hung up"})), "idempotence/lost-request"),
    "takes what was cut for sent": (wrong(try_to_send=_takes_for_sent({19})), "idempotence/not-enough-replicas"),
    "gives up after a timeout of the broker": (wrong(send=_gives_up(RETRIED)), "idempotence/request-timed-out"),
    "stays with the old leader": (wrong(find_leader=_nothing), "idempotence/leader-moves"),
    "gives up without a topic": (wrong(send=_gives_up(RETRIED)), "idempotence/unknown-topic"),
    "takes what is known for unsent": (wrong(send=_gives_up({46})), "idempotence/duplicate"),
    "goes on with an epoch that is forgotten": (wrong(on_forgotten=_nothing), "idempotence/unknown-producer"),
    "counts on after a hole": (wrong(on_forgotten=_nothing), "idempotence/out-of-order"),
    "goes on with an epoch that is over": (wrong(on_forgotten=_nothing), "idempotence/invalid-epoch"),
    "takes what is out of order for sent": (wrong(try_to_send=_takes_for_sent(FORGOTTEN)), "idempotence/out-of-order"),
    "takes what is too large for sent": (wrong(try_to_send=_takes_for_sent({10})), "idempotence/too-large"),
    "takes what is invalid for sent": (wrong(try_to_send=_takes_for_sent({87})), "idempotence/invalid-record"),
    "takes what is not allowed for sent": (wrong(try_to_send=_takes_for_sent({29})), "idempotence/not-authorized"),
    "writes without an id": (wrong(init=_writes_without_an_id), "idempotence/id-not-authorized"),
    "gives up while the coordinator loads": (
        wrong(coordinate=lambda self, api, body, _repeated: self.ask(self.leader, api, body)),
        "idempotence/id-while-loading",
    ),
    "keeps its epoch": (wrong(on_next_epoch=_nothing), "transactions-v2/plain"),
    "keeps its sequences": (wrong(on_next_epoch=_keeps_sequence), "transactions-v2/plain"),
    "adds partitions all the same": (wrong(write=_adds_always), "transactions-v2/no-partitions-added"),
    "marks no batch": (wrong(marks=lambda _self: False), "transactions-v2/marks"),
    "names no transaction": (wrong(transactional_id=lambda _self: None), "transactions-v2/marks"),
    "ends no abort": (wrong(abort=_abandons_silently), "transactions-v2/abandoned"),
    "commits what is to be aborted": (wrong(abort=_commits_an_abort), "transactions-v2/abandoned"),
    "takes concurrent for fatal": (wrong(repeated=lambda _self: set()), "transactions-v2/end-while-concurrent"),
    "takes loading for fatal": (wrong(repeated=lambda _self: set()), "transactions-v2/end-while-loading"),
    "raises its epoch when an end is lost": (wrong(on_lost_end=_rises_when_lost), "transactions-v2/end-is-lost"),
    "gives up an end that is lost": (wrong(on_lost_end=_gives_up_end), "transactions-v2/end-hangs-up"),
    "stays with a coordinator that is none": (wrong(on_elsewhere=_nothing), "transactions-v2/end-elsewhere"),
    "stays with one that is not available": (wrong(on_elsewhere=_nothing), "transactions-v2/end-not-available"),
    "stays with the old coordinator": (wrong(on_elsewhere=_nothing), "transactions-v2/coordinator-moves"),
    "takes abortable for fatal": (
        wrong(end=lambda self, *, committed: _fatal_end(self, committed=committed)),
        "transactions-v2/end-abortable",
    ),
    "goes on when it is fenced": (wrong(on_end_error=_tells_and_goes_on), "transactions-v2/end-fenced"),
    "takes a fenced end for done": (wrong(on_end_error=_says_done), "transactions-v2/end-fenced"),
    "goes on with an epoch that is invalid": (
        wrong(on_end_error=_tells_and_goes_on),
        "transactions-v2/end-invalid-epoch",
    ),
    "goes on in a state that is invalid": (wrong(on_end_error=_tells_and_goes_on), "transactions-v2/end-invalid-state"),
    "goes on with an id that is unknown": (wrong(on_end_error=_tells_and_goes_on), "transactions-v2/end-unknown-id"),
    "goes on where it may not": (wrong(on_end_error=_tells_and_goes_on), "transactions-v2/end-not-authorized"),
    "commits what is abortable": (wrong(on_unwritten=_commits_all_the_same), "transactions-v2/produce-abortable"),
    "commits when it is fenced": (wrong(on_unwritten=_commits_all_the_same), "transactions-v2/produce-fenced"),
    "commits under an invalid epoch": (
        wrong(on_unwritten=_commits_all_the_same),
        "transactions-v2/produce-invalid-epoch",
    ),
    "commits with a hole": (wrong(on_unwritten=_commits_all_the_same), "transactions-v2/produce-out-of-order"),
    "commits in an invalid state": (wrong(on_unwritten=_commits_all_the_same), "transactions-v2/produce-invalid-state"),
    "commits without what is too large": (
        wrong(on_unwritten=_commits_all_the_same),
        "transactions-v2/produce-too-large",
    ),
    "gives up what is concurrent": (wrong(send=_gives_up(RETRIED)), "transactions-v2/produce-concurrent"),
    "gives up without a leader": (wrong(send=_gives_up(RETRIED)), "transactions-v2/produce-not-leader"),
    "takes a fenced init for done": (wrong(init=_writes_without_an_id), "transactions-v2/init-fenced"),
    "asks once for an id": (
        wrong(repeated=lambda _self: set(), init=_once),
        "transactions-v2/init-while-concurrent",
    ),
    "adds after it wrote": (wrong(write=_adds_later), "transactions-v1/adds-first"),
    "raises its epoch by itself": (
        wrong(
            transaction=lambda self, values, commits: (
                Writer.transaction(self, values, commits=commits),
                vars(self).update(epoch=self.epoch + 1, sequence=0),
            )
        ),
        "transactions-v1/plain",
    ),
    "takes a concurrent add for fatal": (wrong(repeated=lambda _self: set()), "transactions-v1/add-while-concurrent"),
    "writes before the add is agreed to": (
        wrong(on_unadded=_says_done, repeated=lambda _self: set()),
        "transactions-v1/add-while-loading",
    ),
    "writes when its add is fenced": (wrong(on_unadded=_says_done), "transactions-v1/add-fenced"),
    "writes with an id that is not known": (wrong(on_unadded=_says_done), "transactions-v1/add-unknown-id"),
    "writes what it may not": (wrong(on_unadded=_says_done), "transactions-v1/add-not-authorized"),
}
"""By what they do wrong: the producer, and the conversation in which it shows."""
