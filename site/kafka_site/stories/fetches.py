"""A fetch, from the connection to the record: a real client and a real broker, annotated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from kafka_format.capture import Captured, explain, read
from kafka_format.explain.lines import Explanation, Line
from kafka_format.protocol.apis import api_name
from kafka_format.spec.layout import find

from kafka_site.addresses import Addresses
from kafka_site.examples import html
from kafka_site.model import Site
from kafka_site.pictures.byte_map import byte_map, legend_of
from kafka_site.pictures.ladder import Said, ladder
from kafka_site.templates import ROOT

_BROKER: Final = "3.9.2"
_CAPTURE: Final = ROOT / "tests" / "captures" / f"kafka-{_BROKER}.pcap"
_CLIENT: Final = "librdkafka-reader"
_CONNECTION: Final = 14
_FETCH: Final = "fetch"
_PAGE: Final = "stories/fetches"


_LAYERS: Final[Mapping[str, str]] = {
    "place": "size of the frame",
    "format": "header of the response",
    "time": "body of the response",
    "producer": "header of a batch",
    "content": "records of a batch",
}
"""What stands around what, from the outside to the inside; each has a colour of the byte map."""


_WHY: Final[Mapping[str, str]] = {
    "api_versions": (
        "It asks first which versions the broker has, and says its name. Version 0 of this API is always understood."
    ),
    "metadata": "It asks who leads the partitions of its topic, and where these brokers are.",
    "find_coordinator": "It asks which broker looks after its group.",
    "join_group": "It joins the group and offers the ways of sharing partitions that it knows.",
    "sync_group": "It asks for the partitions that the leader of the group has given it.",
    "offset_fetch": "It asks where the group stopped reading.",
    "list_offsets": "Nobody has committed an offset, so it asks for the first or last one of the partition.",
    "offset_for_leader_epoch": "It asks where the epoch of its position ends, to see whether records were truncated.",
    "heartbeat": "It says that it is still there.",
    "offset_commit": "It says how far it has come.",
    "fetch": "It asks for records from an offset on, of at most so many bytes, and is ready to wait for them.",
}
"""Why a consumer sends a request."""

_ANSWERS: Final[Mapping[str, str]] = {
    "api_versions": (
        "For each API the lowest and the highest version. The client takes the highest that both know; "
        "all that follows depends on it."
    ),
    "fetch": (
        "Around the records are the protocol's fields. The field `records` is a piece of the log as it lies on disk: "
        "here the format of records begins, with its own lengths and checksum."
    ),
}
"""What is worth knowing of an answer."""


class Message(NamedTuple):
    """One frame of the conversation, as the page shows it: a line about it, and its bytes."""

    number: int
    title: str
    text: str
    size: int
    shown: str


class Step(NamedTuple):
    """A request and its response: what for, and the size of both."""

    title: str
    version: int
    structure: str
    doc: str
    request: int
    response: int
    milliseconds: float


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    with _CAPTURE.open("rb") as file:
        said = [message for message in read(file) if message.connection == _CONNECTION and message.client_id == _CLIENT]
    fetches = [message for message in said if message.api is not None and api_name(message.api) == _FETCH]
    asked, answered = fetches[0], next(fetch for fetch in fetches if fetch.kind == "response")
    return {
        "client": " ".join(_line(said[0], path) for path in ("client_software_name", "client_software_version")),
        "broker": _BROKER,
        "steps": list(_steps(said)),
        "version_of": partial(_version, site.addresses),
        "ladder": ladder("client", "broker", list(_draw(said)), "Requests and responses on one connection"),
        "map": byte_map(_explain(answered).lines, "The bytes of the response", role=_layer),
        "map_legend": legend_of(_LAYERS),
        "size": answered.size,
        "version": asked.version,
        "said": list(_talk(said)),
        "records": _records(answered),
    }


def _steps(said: list[Captured]) -> list[Step]:
    """Return the exchanges in the order of their requests, each API and version once."""
    answers = {message.correlation_id: message for message in said if message.kind == "response"}
    by_api: dict[tuple[int | None, int | None], Step] = {}
    for message in said:
        answer = answers.get(message.correlation_id)
        if message.kind == "request" and message.api is not None and answer is not None and message.version is not None:
            name = f"{api_name(message.api)}_request"
            layout = find(name, message.version)
            milliseconds = round(1000 * (answer.seconds or 0), 1)
            step = Step(layout.kafka, message.version, name, layout.doc, message.size, answer.size, milliseconds)
            by_api.setdefault((message.api, message.version), step)
    return list(by_api.values())


def _version(addresses: Addresses, step: Step) -> str:
    """Return the version of a request, as the link to its bytes if these have a page."""
    name = f"{step.structure}/{step.version}"
    if not addresses.has("bytes", name):
        return str(step.version)
    return addresses.link("bytes", name, _PAGE, text=str(step.version))


def _draw(said: list[Captured]) -> Iterator[Said]:
    """Yield what is drawn: each API and version once, the request and its answer."""
    for step in _steps(said):
        name = step.title.removesuffix("Request")
        yield Said(f"{name} request, version {step.version}", step.request, is_answer=False)
        yield Said(f"{name} response after {step.milliseconds} ms", step.response, is_answer=True)


def _talk(said: list[Captured]) -> Iterator[Message]:
    """Yield the first request of each API and version, and its answer; fetches with records."""
    answers = {message.correlation_id: message for message in said if message.kind == "response"}
    number, seen = 0, set()
    for asked in said:
        answer = answers.get(asked.correlation_id)
        if asked.kind != "request" or asked.api is None or answer is None or (asked.api, asked.version) in seen:
            continue
        name = api_name(asked.api)
        if name == _FETCH and not _records(answer):
            continue
        seen.add((asked.api, asked.version))
        title = find(f"{name}_request", asked.version or 0).kafka.removesuffix("Request")
        for message, what, texts in ((asked, "request", _WHY), (answer, "response", _ANSWERS)):
            number += 1
            caption = f"{message.size} bytes with their size"
            yield Message(
                number,
                f"{title} {what}, version {asked.version}",
                texts.get(name, ""),
                message.size,
                html(f"said-{number}", _explain(message), caption),
            )


def _layer(line: Line) -> str:
    """Return how deep in the response some bytes are."""
    _, is_inside, rest = line.path.partition(".records[")
    if is_inside:
        return "content" if ".records[" in rest else "producer"
    first = line.path.partition(".")[0]
    return {"size": "place", "header": "format"}.get(first, "time")


def _explain(message: Captured) -> Explanation:
    frame = explain(message)
    if frame is None:
        raise ValueError(f"neither request nor response: {message.kind}")
    return frame.explanation


def _line(message: Captured, path: str) -> str:
    """Return the value of the line of a field, without quotes."""
    return next(line.value for line in _explain(message).lines if line.path.endswith(path)).strip("'")


def _records(answered: Captured) -> list[str]:
    """Return the values of the records in a response, as its lines show them."""
    return [line.value for line in _explain(answered).lines if line.path.endswith(".value")]
