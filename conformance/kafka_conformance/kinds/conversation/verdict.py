"""The first thing that a client did wrong in a conversation, as a person would name it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from kafka_tools.server.settings import ON_REQUEST
from kafka_tools.text import plural

from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import ASKED
from kafka_conformance.kinds.conversation import shapes
from kafka_conformance.kinds.conversation.following import (
    missing_event,
    missing_next,
    missing_request,
    of_shapes,
    wrong_log,
)
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest, PlayedStep, RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.kinds.conversation.settings_asked import unasked_settings

_OPTIONAL: Final = {"get_telemetry_subscriptions": "push_telemetry"}
"""What a client need not ask at all, unless it asks for the other."""

_PAUSE: Final = "after_ms"
"""What a request is asked for: milliseconds that it has to wait."""

_EPOCH: Final = "leader_epoch"
"""What a step changes if the partition has another leader, or the same one again."""

_TOLERANCE: Final = 0.02
"""Seconds by which clocks may differ: the broker's, and that of the client's timers."""


def gap(conversation: Conversation, seen: RequestsSeen) -> str:
    """Say why what was seen proves nothing about a client; empty if it does.

    A client that fetches in versions that lack what the conversation is about, or opens no fetch
    session, never was in the conversation.
    """
    for played in seen.steps:
        if played.missing_field:
            step = conversation.steps[played.step]
            return f"its version of {step.request} does not have `{played.missing_field}`"
    for api, (lowest, highest) in conversation.versions.items():
        least, most = ON_REQUEST.get(api, (0, highest))
        is_chosen = lowest > least or highest < most or api in _OPTIONAL
        if is_chosen and not {api, _OPTIONAL.get(api, api)} & {request.api for request in seen.requests}:
            return f"has no version of {api} that the broker has"
    if not seen.fetches() and "fetch" in conversation.versions:
        return "has no version of fetch that the broker has"
    if conversation.broker.get("sessions") and seen.has_no_session:
        return "opens no fetch session"
    return ""


def first_wrong(conversation: Conversation, seen: RequestsSeen) -> Difference | None:
    """Return the first request with which a client went wrong; None if none did."""
    if log := wrong_log(conversation, seen):
        return log
    wrongs = (wrong for played in seen.steps for wrong in _next(conversation, seen, played))
    kept = _kept_epoch(conversation, seen)
    return next(chain(unasked_settings(conversation, seen), wrongs, of_shapes(conversation, seen), kept), None)


def _kept_epoch(conversation: Conversation, seen: RequestsSeen) -> Iterator[Difference]:
    """Yield the old leader epoch that a client goes on to fetch with, and does not get on.

    It has asked for the metadata since the leader has another, and was told.
    """
    played = next((each for each in reversed(seen.steps) if _EPOCH in conversation.steps[each.step].change), None)
    if played is None or conversation.position in {None, seen.position}:
        return
    due, after = conversation.steps[played.step].change[_EPOCH], seen.requests[played.request_count :]
    asked = next((number for number, request in enumerate(after) if request.api == "metadata"), len(after))
    epochs = [request.leader_epoch for request in after[asked:] if request.is_about]
    if len(epochs) > 1 and all(0 <= epoch < due for epoch in epochs):
        yield Difference(f"{ASKED}.fetch.current_leader_epoch", str(due), str(epochs[-1]))


def first_fault(seen: RequestsSeen) -> Difference | None:
    """Return the first request that breaks a rule of the protocol; None if all keep them."""
    return Difference("request", "requests that keep the rules", seen.faults[0]) if seen.faults else None


def _missing_requests(conversation: Conversation, seen: RequestsSeen, played: PlayedStep) -> Iterator[Difference]:
    """Yield the requests that must come after a step, and did not."""
    before = seen.request_of(played)
    for api, fields in conversation.steps[played.step].asks.items():
        requests = [request for request in seen.requests[played.request_count :] if request.api == api]
        if not any(_is_like(request, fields, before) for request in requests):
            words = shapes.words(fields).removeprefix("with ") or "a request"
            got = (
                ", ".join(f"{name} {_shown_value(requests[-1], name)}" for name in fields) if requests else "no request"
            )
            yield Difference(f"steps[{played.step}].asks.{api}", words, got, is_behind=True)


def _is_like(asked: ClientRequest, expected: Mapping[str, Any], before: ClientRequest) -> bool:
    wanted = {**expected}
    if "member" in wanted:
        wanted["member"] = before.member if wanted["member"] == "same" else ""
    return not shapes.misfit(wanted, asked, before)


def _shown_value(asked: ClientRequest, name: str) -> Any:
    value = asked.value(name)
    return (value and "another") or "none" if name == "member" else value


def has_asked(conversation: Conversation, seen: RequestsSeen) -> bool:
    """Tell whether all came that must come behind steps, and the application was told all."""
    return (
        not any(True for played in seen.steps for _ in _missing_requests(conversation, seen, played))
        and not any(True for _ in missing_next(conversation, seen))
        and missing_event(conversation, seen) is None
    )


def _next(conversation: Conversation, seen: RequestsSeen, played: PlayedStep) -> Iterator[Difference]:
    step = conversation.steps[played.step]
    after = seen.requests[played.request_count :]
    index = next((number for number, request in enumerate(after) if request.is_about), None)
    place = f"steps[{played.step}].next"
    if index is None or played is not seen.times(played.step)[-1]:
        return
    request = after[index]
    for name, expected in step.next.items():
        yield from _compare(place, name, expected, _value(name, request, played))
    for api in step.before_next:
        if all(request.api != api for request in after[:index]):
            yield Difference(f"{place}", f"{api} before the next fetch", "a fetch without it")


def _value(name: str, request: ClientRequest, played: PlayedStep) -> Any:
    if name == _PAUSE:
        return request.at - (played.sent_at or request.at) if request.connection == played.connection else float("inf")
    return getattr(request, name)


def _compare(place: str, name: str, expected: Any, got: Any) -> Iterator[Difference]:
    path, allowed = f"{place}.{name}", expected if isinstance(expected, list) else [expected]
    if name == _PAUSE:
        if got < expected / 1000 - _TOLERANCE:
            yield Difference(path, f"at least {expected} ms", f"{got * 1000:.0f} ms")
    elif got not in allowed:
        yield Difference(path, " or ".join(map(str, allowed)), str(got))


def end_of(conversation: Conversation, seen: RequestsSeen) -> Difference | None:
    """Return how the client ended elsewhere than it must; None if it did not."""
    expected, got = conversation.position, seen.position
    if expected is not None and expected != got:
        return Difference("position", str(expected), str(got), is_behind=got is None or got < expected)
    unasked = (wrong for played in seen.steps for wrong in _missing_requests(conversation, seen, played))
    missing = next(chain(unasked, missing_next(conversation, seen)), None) or missing_event(conversation, seen)
    missing = missing or missing_request(conversation, seen)
    if missing is not None:
        return missing
    if len(conversation.records) <= len(seen.got.records):
        return None
    due, came = (plural(len(records), "record") for records in (conversation.records, seen.got.records))
    return Difference("records", due, came, is_behind=expected is None)
