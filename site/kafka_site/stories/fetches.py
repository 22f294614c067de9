"""A fetch, from the connection to the record: a real client and a real broker, annotated."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kafka_format.capture import Captured, explain, read
from kafka_format.explain.lines import Explanation
from kafka_format.protocol.apis import api_name
from kafka_format.spec.layout import find

from kafka_site.examples import html
from kafka_site.model import Site
from kafka_site.templates import ROOT

_BROKER: Final = "3.9.2"
_CAPTURE: Final = ROOT / "tests" / "captures" / f"kafka-{_BROKER}.pcap"
_CLIENT: Final = "librdkafka-reader"
_CONNECTION: Final = 14
_FETCH: Final = "fetch"


class Step(NamedTuple):
    """A request and its response: what for, and the size of both."""

    title: str
    version: int
    structure: str
    doc: str
    request: int
    response: int
    milliseconds: float


def values(_site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    with _CAPTURE.open("rb") as file:
        said = [one for one in read(file) if one.connection == _CONNECTION and one.client_id == _CLIENT]
    fetches = [one for one in said if one.api is not None and api_name(one.api) == _FETCH]
    asked, answered = fetches[0], next(one for one in fetches if one.kind == "response")
    return {
        "client": " ".join(_line(said[0], path) for path in ("client_software_name", "client_software_version")),
        "broker": _BROKER,
        "steps": list(_steps(said)),
        "version": asked.version,
        "request": html("asked", _explained(asked), f"The request, {asked.size} bytes with its size"),
        "response": html("answered", _explained(answered), f"The response, {answered.size} bytes with its size"),
        "records": _records(answered),
    }


def _steps(said: list[Captured]) -> list[Step]:
    """Return the exchanges in the order of their requests, each API and version once."""
    answers = {one.correlation_id: one for one in said if one.kind == "response"}
    found: dict[tuple[int | None, int | None], Step] = {}
    for one in said:
        answer = answers.get(one.correlation_id)
        if one.kind == "request" and one.api is not None and answer is not None and one.version is not None:
            name = f"{api_name(one.api)}_request"
            layout = find(name, one.version)
            milliseconds = round(1000 * (answer.seconds or 0), 1)
            step = Step(layout.kafka, one.version, name, layout.doc, one.size, answer.size, milliseconds)
            found.setdefault((one.api, one.version), step)
    return list(found.values())


def _explained(one: Captured) -> Explanation:
    found = explain(one)
    if found is None:
        raise ValueError(f"neither request nor response: {one.kind}")
    return found.explanation


def _line(one: Captured, path: str) -> str:
    """Return the value of the line of a field, without quotes."""
    return next(line.value for line in _explained(one).lines if line.path.endswith(path)).strip("'")


def _records(answered: Captured) -> list[str]:
    """Return the values of the records in a response, as its lines show them."""
    return [line.value for line in _explained(answered).lines if line.path.endswith(".value")]
