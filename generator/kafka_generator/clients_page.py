"""Makes docs/clients.md: the decoder, consumer, producer and codec of each client side by side.

`python generate.py --client-results REPORT...` takes the counts of bugs from the report.json of
runs into docs/client-results.json. Those of requests and responses stand in
docs/protocol-results.json. Making the page needs no target.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.reports import json_report
from kafka_conformance.targets import manifest
from kafka_conformance.targets.manifest import Manifest
from kafka_format.spec import data

from kafka_generator import message_results

FILE: Final = "client-results.json"
PAGE: Final = "clients.md"

_MESSAGES: Final = "messages"
PARTS: Final = {
    "decoder": "its decoder of records",
    "consumer": "its consumer",
    "producer": "its producer",
    _MESSAGES: "its requests and responses",
}
"""The parts of a client that the suite knows to ask, and the headings of their columns."""

_MANIFESTS: Final = {
    "decoder": manifest.load_all,
    "consumer": manifest.consumers,
    "producer": manifest.producers,
}


class Client(NamedTuple):
    """A row of the page: one library.

    Attributes:
        name: that of its target with the shortest name, without the part: `sarama`.
        url: its home.
        language: the language that it is written in.
        version: the release that was run.
        parts: the counts of bugs by part, as a report has them; of parts that were run.
    """

    name: str
    url: str
    language: str
    version: str
    parts: Mapping[str, Mapping[str, int]]


def results(reports: Iterable[Path], known: str) -> str:
    """Add the counts of reports to the text of docs/client-results.json; return the new text.

    Raises:
        UsageError: a file is no report.
    """
    lines = {line["name"]: line for line in json.loads(known)["targets"]}
    for report in reports:
        run = json_report.load(report)
        hellos = {target.name: target.hello for target in run.targets}
        for line in json.loads(report.read_text(encoding="utf-8"))["summary"]:
            hello = hellos[line["target"]]
            if hello is not None:
                counts = {"asked": line["asked"], "findings": line["findings"], "bugs": line["bugs"]}
                lines[line["target"]] = {"name": line["target"], "version": hello.version, **counts}
    targets = [lines[name] for name in sorted(lines)]
    return json.dumps({"targets": targets}, indent=1, ensure_ascii=False) + "\n"


def values() -> dict[str, Any]:
    """Return what the template needs."""
    return {"clients": _clients(), "parts": PARTS, "releases": _older_releases()}


def _clients() -> list[Client]:
    """Return every library in its newest release, those first of which most parts were run."""
    clients: dict[str, Client] = {}
    for part, target, line in _lines():
        known = clients.get(target.url)
        name = target.name.removeprefix("consumer-").removeprefix("producer-")
        if known is None or len(name) < len(known.name):
            parts = {} if known is None else known.parts
            known = Client(name, target.url, target.language, line["version"], parts)
        clients[target.url] = known._replace(parts={part: {"unexplained": 0, **line["bugs"]}, **known.parts})
    return sorted(clients.values(), key=lambda client: (-len(client.parts), client.name))


def _older_releases() -> list[tuple[str, str, Mapping[str, int]]]:
    """Return client, part and counts of bugs of every older release of a consumer or producer."""
    rows: list[tuple[str, str, Mapping[str, int]]] = []
    for line in _read(FILE)["targets"]:
        name, at, version = line["name"].partition("@")
        for part in ("consumer", "producer"):
            if at and name in _MANIFESTS[part]():
                client = name.removeprefix(f"{part}-")
                rows.append((f"{client} {version}", part, {"unexplained": 0, **line["bugs"]}))
    return rows


def _lines() -> Iterable[tuple[str, Manifest, Mapping[str, Any]]]:
    for line in _read(FILE)["targets"]:
        for part, load in _MANIFESTS.items():
            if line["name"] in load():
                yield part, load()[line["name"]], line
    for line in _read(message_results.FILE)["targets"]:
        if line["name"] in manifest.load_all():
            yield _MESSAGES, manifest.load_all()[line["name"]], line


def _read(name: str) -> Any:
    return json.loads((data.path("spec").parent / "docs" / name).read_text(encoding="utf-8"))
