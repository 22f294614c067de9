"""Target manifests: loaded, and checked against spec/schema/target.schema.json."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from kafka_format.spec.layout.yamlfile import plain

from kafka_conformance import schemas
from kafka_conformance.errors import UsageError
from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.targets.target_kind import TargetKind


@dataclass(frozen=True, slots=True)
class Manifest:
    """One target as its manifest.yaml describes it; the schema explains the keys.

    Attributes:
        folder: where the manifest stands; `{here}` in commands.
        apis: what it gives of requests and responses: `json`, `bytes` or `verdict`; empty if it
            reads none.
    """

    folder: Path
    name: str
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
    kind: TargetKind = TargetKind.DECODER

    @property
    def all_versions(self) -> tuple[str, ...]:
        """The default version and the further pinned ones."""
        return (self.version, *self.versions)


@cache
def load_all() -> Mapping[str, Manifest]:
    """Load the manifest of every target, by name.

    Raises:
        UsageError: a manifest is wrong; the text names the file and the place in it.
    """
    manifests = [load(file) for file in sorted(TARGETS.glob("*/manifest.yaml"))]
    return {manifest.name: manifest for manifest in manifests}


def of_kind(*kinds: TargetKind) -> Mapping[str, Manifest]:
    """Load the manifest of every target of one of the kinds, by name.

    Raises:
        UsageError: a manifest is wrong; the text names the file and the place in it.
    """
    return {name: manifest for name, manifest in load_all().items() if manifest.kind in kinds}


def load(file: Path) -> Manifest:
    """Load one manifest.

    Raises:
        UsageError: it is no YAML, does not fit the schema, or its name is not that of its folder.
    """
    place = f"{file.parent.name}/{file.name}"
    try:
        document = plain(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{place}: cannot be read: {error}") from None
    schemas.check(document, "target", place)
    if document["name"] != file.parent.name:
        raise UsageError(
            f"{place}: $.name: {document['name']!r} is in the folder {file.parent.name!r}; they must be the same."
        )
    return _manifest(file.parent, document)


def _manifest(folder: Path, document: Mapping[str, Any]) -> Manifest:
    return Manifest(
        folder=folder,
        name=document["name"],
        language=document["language"],
        url=document["url"],
        issues=document["issues"],
        version=document["version"],
        versions=tuple(document.get("versions", ())),
        needs=document.get("needs", {}),
        install=tuple(tuple(command) for command in document.get("install", ())),
        run=tuple(document["run"]),
        env=document.get("env", {}),
        formats=tuple(document["claims"]["formats"]),
        codecs=tuple(document["claims"]["codecs"]),
        calls=document["calls"],
        apis=document["claims"].get("apis", ""),
        isolated=tuple(document.get("isolated", ())),
        kind=TargetKind(document.get("kind", TargetKind.DECODER)),
    )
