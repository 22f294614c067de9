"""Makes docs/clients.md: the decoder, consumer, producer and codec of each client side by side.

`python generate.py --client-results REPORT...` takes the counts of bugs of consumers and producers
from the report.json of runs into docs/client-results.json. Each row says when it was run, and on
how many vectors, so that clients may be run one after another, on several days or machines. The
counts of decoders stand in docs/results.json, those of requests and responses in
docs/protocol-results.json. Making the page needs no target.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.reports import json_report
from kafka_conformance.targets import manifest
from kafka_conformance.targets.manifest import Manifest
from kafka_conformance.targets.target_kind import TargetKind
from kafka_format.spec import data
from kafka_tools.errors import UsageError

from kafka_generator import matrix, message_results

FILE: Final = "client-results.json"
PAGE: Final = "clients.md"

_CHOICE: Final = re.compile(r"(--(?:vectors|id|rule|verdict|direction))\b")
"""Options of `run` that leave vectors out."""

_MESSAGES: Final = "messages"
PARTS: Final = {
    "decoder": "its decoder of records",
    "consumer": "its consumer",
    "producer": "its producer",
    _MESSAGES: "its requests and responses",
}
"""The parts of a client that the suite knows to ask, and the headings of their columns."""

_KINDS: Final = {
    "decoder": TargetKind.DECODER,
    "consumer": TargetKind.CONSUMER,
    "producer": TargetKind.PRODUCER,
    _MESSAGES: TargetKind.DECODER,
}

_FILES: Final = {
    "decoder": matrix.RESULTS,
    "consumer": FILE,
    "producer": FILE,
    _MESSAGES: message_results.FILE,
}
"""Where the counts of a part stand."""


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

    A row is always of one run: that of the last report that has the target. Targets that are
    neither consumers nor producers are left out.

    Raises:
        UsageError: a file is no report, or is of a run that was stopped or left vectors out.
    """
    lines = {line["name"]: line for line in json.loads(known)["targets"]}
    for report in reports:
        run = json_report.load(report)
        document = json.loads(report.read_text(encoding="utf-8"))
        _check_whole(report, document)
        of_run = {"run": document["header"]["started"].partition("T")[0], "vectors": len(document["vectors"])}
        hellos = {target.name: target.hello for target in run.targets}
        for line in document["summary"]:
            hello = hellos[line["target"]]
            if hello is not None and _is_client(line["target"]):
                counts = {"asked": line["asked"], "findings": line["findings"], "bugs": line["bugs"]}
                lines[line["target"]] = {"name": line["target"], "version": hello.version, **of_run, **counts}
    targets = [lines[name] for name in sorted(lines)]
    return json.dumps({"targets": targets}, indent=1, ensure_ascii=False) + "\n"


def _is_client(target: str) -> bool:
    return target.partition("@")[0] in manifest.of_kind(TargetKind.CONSUMER, TargetKind.PRODUCER)


def _check_whole(report: Path, document: Mapping[str, Any]) -> None:
    """Refuse the report of a run that does not speak for all vectors.

    Raises:
        UsageError: it was interrupted, or asked about chosen vectors only.
    """
    choice = _CHOICE.search(document["header"]["command"])
    if document["footer"]["interrupted"] or choice:
        why = f"was made with {choice[1]}" if choice else "is of a run that was interrupted"
        raise UsageError(f"{report} {why}, so it does not speak for all vectors.", "Run the client on all of them.")


def values() -> dict[str, Any]:
    """Return what the template needs."""
    return {"clients": _clients(), "parts": PARTS, "releases": _older_releases(), "runs": _runs()}


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
            if at and name in manifest.of_kind(_KINDS[part]):
                client = name.removeprefix(f"{part}-")
                rows.append((f"{client} {version}", part, {"unexplained": 0, **line["bugs"]}))
    return rows


def _runs() -> list[tuple[str, int, list[str]]]:
    """Return the targets by day of their run and number of vectors, the newest day first.

    Both are empty for rows that were taken before they were noted.
    """
    runs: dict[tuple[str, int], list[str]] = {}
    for line in _read(FILE)["targets"]:
        runs.setdefault((line.get("run", ""), line.get("vectors", 0)), []).append(line["name"])
    return [(run, vectors, names) for (run, vectors), names in sorted(runs.items(), reverse=True)]


def _lines() -> Iterator[tuple[str, Manifest, Mapping[str, Any]]]:
    for part, kind in _KINDS.items():
        known = manifest.of_kind(kind)
        for line in _read(_FILES[part])["targets"]:
            if line["name"] in known:
                yield part, known[line["name"]], line


def _read(name: str) -> Any:
    return json.loads((data.path("spec").parent / "docs" / name).read_text(encoding="utf-8"))
