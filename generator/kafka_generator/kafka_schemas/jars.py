"""The jars with the schemas: one folder, filled by `mvn -f pom.xml package` beside this file."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from kafka_generator.kafka_schemas.schema import Schema, parse

_NAME: Final = re.compile(r"(?P<module>kafka[a-z_2.13-]*?)-(?P<release>\d+(?:\.\d+)+)\.jar")
_SCHEMA: Final = re.compile(r"(?:common/)?(?:message|metadata)/(\w+)\.json")


class Jar(NamedTuple):
    """One jar of a release of Kafka."""

    module: str
    release: tuple[int, ...]
    file: Path

    def schemas(self) -> Iterator[Schema]:
        """Yield the schemas inside."""
        with zipfile.ZipFile(self.file) as archive:
            for name in sorted(archive.namelist()):
                if _SCHEMA.fullmatch(name):
                    yield parse(archive.read(name).decode())


def jars(folder: Path) -> list[Jar]:
    """Return the jars of a folder, oldest release first."""
    found_jars = []
    for file in folder.glob("*.jar"):
        match = _NAME.fullmatch(file.name)
        if match:
            release = tuple(int(part) for part in match["release"].split("."))
            found_jars.append(Jar(match["module"], release, file))
    return sorted(found_jars, key=lambda jar: (jar.release, jar.module))
