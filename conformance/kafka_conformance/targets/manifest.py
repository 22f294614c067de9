"""Manifests of libraries: loaded, checked against the schemas in spec/schema, and made targets of.

`targets/<library>/manifest.yaml` says what holds for the whole library, and has a section for each
kind of target that it is: `decoder`, `consumer`, `producer`, `log_reader`, `serde`, `broker`. A
section takes from the library what it does not say itself, and its variants (other releases or
builds) take from the section what they do not say.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from kafka_format.spec.layout.yamlfile import load_yaml
from kafka_tools import schemas
from kafka_tools.errors import UsageError

from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.targets.target_kind import TargetKind

_NAMES: Final = {
    TargetKind.DECODER: "{library}",
    TargetKind.CONSUMER: "consumer-{library}",
    TargetKind.PRODUCER: "producer-{library}",
    TargetKind.BROKER: "broker-{library}",
    TargetKind.LOG_READER: "log-{library}",
    TargetKind.SERDE: "serde-{library}",
}
"""What the targets of a library are called, unless a section has a `name`; a variant's key follows
after a `-`."""

_VERSIONS: Final = ("version", "versions", "history")
_ABOUT: Final[Mapping[TargetKind, tuple[str, ...]]] = {
    TargetKind.CONSUMER: ("records", "conversations"),
    TargetKind.PRODUCER: ("records", "conversations"),
    TargetKind.BROKER: ("records", "scenarios"),
}
"""What targets are asked about that are no adapters."""


class History(NamedTuple):
    """Older releases of a target, and how any release is installed that is not pinned.

    Attributes:
        registry: who has them: `pypi`, `npm`, `go`, `maven` or `crates`.
        package: their name there.
        releases: those whose results are recorded.
        install: the commands that install one, in place of those of the manifest.
    """

    registry: str
    package: str
    releases: tuple[str, ...]
    install: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """One target as the manifest of its library describes it; the schemas explain the keys.

    Attributes:
        library: the library that it is part of, the name of its folder.
        folder: where the manifest stands; `{here}` in commands.
        apis: what it gives of requests and responses: `json`, `bytes` or `verdict`; empty if it
            reads none.
        settings: what a producer can be asked to do, or what a consumer knows of the settings of
            conversations.
        history: its older releases; None if no way is known to install them.
    """

    library: str
    folder: Path
    name: str
    kind: TargetKind
    language: str
    url: str
    issues: str
    version: str
    versions: tuple[str, ...]
    needs: Mapping[str, str]
    install: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    env: Mapping[str, str]
    formats: tuple[str, ...]
    codecs: tuple[str, ...]
    calls: str = ""
    apis: str = ""
    isolated: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    history: History | None = None

    @property
    def about(self) -> frozenset[str]:
        """What it can be asked about, in the words of `--about`."""
        return frozenset(_ABOUT[self.kind]) if self.kind in _ABOUT else frozenset(self._adapter_about())

    def _adapter_about(self) -> Iterator[str]:
        if self.kind is TargetKind.LOG_READER:
            yield "logs"
        elif self.kind is TargetKind.SERDE:
            yield "contents"
        elif self.formats:
            yield "records"
        if self.apis:
            yield "messages"

    @property
    def all_versions(self) -> tuple[str, ...]:
        """The default version and the further pinned ones."""
        return (self.version, *self.versions)


@cache
def load_all() -> Mapping[str, Manifest]:
    """Load every target, by name, in the order of the names.

    Raises:
        UsageError: a manifest is wrong; the text names the file and the place in it.
    """
    every = [target for file in sorted(TARGETS.glob("*/manifest.yaml")) for target in load(file)]
    return {target.name: target for target in sorted(every, key=lambda target: target.name)}


def of_kind(*kinds: TargetKind) -> Mapping[str, Manifest]:
    """Load every target of one of the kinds, by name.

    Raises:
        UsageError: a manifest is wrong; the text names the file and the place in it.
    """
    return {name: target for name, target in load_all().items() if target.kind in kinds}


def load(file: Path) -> list[Manifest]:
    """Load the targets of one library.

    Raises:
        UsageError: it is no YAML, does not fit the schemas, or its name is not that of its folder.
    """
    place = f"{file.parent.name}/{file.name}"
    try:
        document = load_yaml(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{place}: cannot be read: {error}") from None
    schemas.check(document, "library", place)
    library = document["library"]
    if library != file.parent.name:
        raise UsageError(
            f"{place}: $.library: {library!r} is in the folder {file.parent.name!r}; they must be the same."
        )
    targets = []
    for kind, section, target in _targets(document):
        schemas.check(target, "target", f"{place}, {section},")
        targets.append(_manifest(file.parent, kind, target))
    return targets


def _targets(document: Mapping[str, Any]) -> Iterator[tuple[TargetKind, str, dict[str, Any]]]:
    """Yield kind, section and description of each target, with all that it inherits."""
    shared = {key: value for key, value in document.items() if key not in {*TargetKind, "library"}}
    for kind in TargetKind:
        if kind not in document:
            continue
        own = dict(document[kind])
        variants = own.pop("variants", {})
        target = _inherit({**shared, "name": _NAMES[kind].format(library=document["library"])}, own)
        yield kind, kind, target
        for key, changes in variants.items():
            named = {**target, "name": f"{target['name']}-{key}"}
            named.pop("history", None)  # a build of its own, or another release: the section has the history
            yield kind, f"{kind}.variants.{key}", _inherit(named, changes)


def _inherit(whole: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Join the two; with a version of its own, the versions are its own, too."""
    left = {key: value for key, value in whole.items() if not ("version" in own and key in _VERSIONS)}
    return {**left, **own}


def _manifest(folder: Path, kind: TargetKind, document: Mapping[str, Any]) -> Manifest:
    claims = document["claims"]
    return Manifest(
        library=folder.name,
        folder=folder,
        name=document["name"],
        kind=kind,
        language=document["language"],
        url=document["url"],
        issues=document["issues"],
        version=document["version"],
        versions=tuple(document.get("versions", ())),
        needs=document.get("needs", {}),
        install=_commands(document.get("install", ())),
        run=tuple(document["run"]),
        env=document.get("env", {}),
        formats=tuple(claims["formats"]),
        codecs=tuple(claims["codecs"]),
        calls=document["calls"],
        apis=claims.get("apis", ""),
        isolated=tuple(document.get("isolated", ())),
        settings=tuple(claims.get("can", ())),
        history=_history(document["history"]) if "history" in document else None,
    )


def _history(document: Mapping[str, Any]) -> History:
    releases, install = tuple(document["releases"]), _commands(document["install"])
    return History(document["registry"], document["package"], releases, install)


def _commands(lists: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, lists))
