"""What must and must not come behind a step, and what the application must be told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from kafka_conformance.judging.difference import Difference
from kafka_conformance.kinds.conversation import shapes
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest, PlayedStep, RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.kinds.conversation.shapes import Shape

LOG: Final = "log"
"""The path of what a reader sees at the end."""

_MOST: Final = "at_most"
_OFFSETS: Final = "offset_fetch"


def of_shapes(conversation: Conversation, seen: RequestsSeen) -> Iterator[Difference]:
    """Yield what came and must not: a next request of another shape, a request, an event."""
    for played in seen.steps:
        yield from _wrong_next(conversation, seen, played)
        yield from _forbidden(conversation, seen, played)
    for event in conversation.untold:
        if found := next((told for told in seen.events if _is_event(event, told)), None):
            yield Difference("events", f"no `{event}`", found)


def missing_next(conversation: Conversation, seen: RequestsSeen) -> Iterator[Difference]:
    """Yield the next requests that have not come."""
    for played in seen.steps:
        step = conversation.steps[played.step]
        if step.then and _next(conversation, seen, played) is None and played is seen.times(played.step)[-1]:
            yield Difference(f"steps[{played.step}].then", _alternatives(step.then), "no request", is_behind=True)


def missing_request(conversation: Conversation, seen: RequestsSeen) -> Difference | None:
    """Return a request that a step waited for, and that never came; None if all came.

    Steps that wait for any request of an API are no matter: it may not be due. Nor is one of a
    member that asks for offsets without its name: brokers take that from anyone, and look at no
    epoch then (ConsumerGroup.validateOffsetFetch).
    """
    played = {each.step for each in seen.steps}
    for number, step in enumerate(conversation.steps):
        if step.when and number not in played and not (step.request == _OFFSETS and _names_no_member(seen)):
            due = f"{step.request} {shapes.words(step.when).strip()}"
            return Difference(f"steps[{number}].when", due, "no such request", is_behind=True)
    return None


def _names_no_member(seen: RequestsSeen) -> bool:
    """Tell whether a client asks for committed offsets, and each time without a member id."""
    asked = [request for request in seen.requests if request.api == _OFFSETS]
    return bool(asked) and all(request.value("member_id") is None for request in asked)


def missing_event(conversation: Conversation, seen: RequestsSeen) -> Difference | None:
    """Return what the application was not told, or not in this order; None if it was told all."""
    events = iter(seen.events)
    for event in conversation.told:
        if not any(_is_event(event, told) for told in events):
            told = ", ".join(seen.events) or "nothing"
            return Difference("events", f"`{event}`", told, is_behind=True)
    return None


def wrong_log(conversation: Conversation, seen: RequestsSeen) -> Difference | None:
    """Return how what a reader sees at the end is not what it must; None if it is."""
    if not conversation.log or tuple(seen.log) in conversation.log:
        return None
    due = " or ".join(" ".join(values) or "nothing" for values in conversation.log)
    return Difference(LOG, due, " ".join(seen.log) or "nothing")


def missing_at_close(conversation: Conversation, seen: RequestsSeen) -> Difference | None:
    """Return a request that must come when the client is closed and did not; None if all came."""
    requests = [] if seen.at_close is None else seen.requests[seen.at_close :]
    for api, shape in conversation.closing.items():
        of_api = [request for request in requests if request.api == api]
        if shape is None:
            if of_api:
                return Difference(f"closing.{api}", "no request", f"{len(of_api)} of them")
            continue
        if of_api and any(not shapes.misfit(shape, request) for request in of_api):
            continue
        path, expected = f"closing.{api}", shapes.words(shape).removeprefix("with ") or "a request"
        if not of_api:
            return Difference(path, expected, "no request")
        name = shapes.misfit(shape, of_api[-1])
        return Difference(f"{path}.{name}", expected, shapes.shown(of_api[-1], name))
    return None


def _is_event(expected: str, told: str) -> bool:
    """Tell whether an event is that: `lost` is any loss, `lost t1` one of that topic."""
    (what, *topics), (got, *of) = expected.split(), told.split()
    return what == got and set(topics) <= set(of)


def _next(conversation: Conversation, seen: RequestsSeen, played: PlayedStep) -> ClientRequest | None:
    """Return the next request of the APIs that a step is about."""
    step = conversation.steps[played.step]
    apis = {step.request, *(shape["request"] for shape in step.then if "request" in shape)}
    return next((request for request in seen.requests[played.request_count :] if request.api in apis), None)


def _wrong_next(conversation: Conversation, seen: RequestsSeen, played: PlayedStep) -> Iterator[Difference]:
    step = conversation.steps[played.step]
    request = _next(conversation, seen, played)
    if not step.then or request is None or played is not seen.times(played.step)[-1]:
        return
    before = seen.request_of(played) if step.request else None
    request = _timed(request, played)
    misfits = [shapes.misfit(shape, request, before) for shape in step.then]
    if all(misfits):
        name = next((each for each in misfits if each != "request"), "request")
        path = f"steps[{played.step}].then.{name}"
        yield Difference(path, _alternatives(step.then), shapes.shown(request, name))


def _timed(request: ClientRequest, played: PlayedStep) -> ClientRequest:
    """Add how many milliseconds after the answer of a step a request came; 0 before it."""
    late = 0.0 if played.sent_at is None else max(request.at - played.sent_at, 0.0)
    return replace(request, fields={**request.fields, "after_ms": round(late * 1000)})


def _alternatives(allowed: Sequence[Shape]) -> str:
    return "; or ".join(map(shapes.words, allowed))


def _forbidden(conversation: Conversation, seen: RequestsSeen, played: PlayedStep) -> Iterator[Difference]:
    """Yield the requests after a step, up to the close, that must not have come.

    What a step says again and again is forbidden from the first time on.
    """
    if conversation.steps[played.step].until and played is not seen.times(played.step)[0]:
        return
    before = seen.request_of(played) if conversation.steps[played.step].request else None
    after = seen.requests[played.request_count : seen.at_close]
    for shape in conversation.steps[played.step].never:
        wanted = {name: said for name, said in shape.items() if name != _MOST}
        like = [request for request in after if not shapes.misfit(wanted, _timed(request, played), before)]
        if len(like) > shape.get(_MOST, 0):
            yield Difference(f"steps[{played.step}].never", f"no {shapes.words(wanted)}", f"{len(like)} of them")
