"""Prints what the tables make of a release that does not exist: `python invented_release.py SPEC`.

SPEC is a copy of spec/ whose releases.yaml has one row more, the first. Whatever raises is printed
as it is said to users.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from kafka_format.spec import data

_REAL = data.path
data.path = lambda name: Path(sys.argv[1]) if name == "spec" else _REAL(name)

from kafka_conformance.targets import resolve  # noqa: E402
from kafka_format.log import indexes, origin  # noqa: E402
from kafka_format.log.contents import features  # noqa: E402
from kafka_format.log.contents import releases as contents  # noqa: E402
from kafka_format.records import decode  # noqa: E402
from kafka_format.spec.layout.release_names import release_text  # noqa: E402
from kafka_format.spec.layout.release_table import newest, release_rows  # noqa: E402
from kafka_format.spec.layout.yamlfile import Section  # noqa: E402
from kafka_generator import oracle  # noqa: E402
from kafka_generator.conversations import oracle as conversations  # noqa: E402
from kafka_generator.kafka_judge import record_judge  # noqa: E402
from kafka_generator.kafka_schemas import artifacts  # noqa: E402
from kafka_generator.log_vectors import oracle as logs  # noqa: E402
from kafka_generator.protocol_vectors import oracle as protocol  # noqa: E402
from kafka_tools.errors import UsageError  # noqa: E402 - what is imported reads the rows


def said(act: Callable[[], object]) -> str:
    """What users read, if something is missing."""
    try:
        return str(act())
    except UsageError as error:
        return str(error)


row = newest()
judge = next(iter(oracle.releases().values()))
section = Section("layouts/x.yaml", 1, {"since": row.name}, {})
answers = {
    "newest": row.name,
    "named in layouts": release_text(section, "since"),
    "lookups in logs": indexes.NEWEST,
    "origin of a directory": origin._release(row.metadata_version),
    "records of topics": contents.NEWEST,
    "metadata.version": features.supported(features.METADATA_VERSION, contents.NEWEST),
    "read as": len(decode(b"", as_kafka=row.name)),
    "judges records": oracle.target_of(judge),
    "decides": [release.version for release in oracle.deciding()],
    "judges messages": protocol.RELEASES[row.name],
    "names fields": protocol.NAMING,
    "reads topics": record_judge.RELEASE,
    "judges logs": logs.RELEASES[-1],
    "consumes": conversations.releases()[0],
    "jars": sorted({jar.module for jar in artifacts.artifacts(release_rows().values()) if jar.version == row.version}),
    "target": said(lambda: resolve.installation(oracle.target_of(judge))),
    "consumer": said(lambda: resolve.installation(f"consumer-kafka-clients@{row.version}")),
    "vectors": [oracle.name_of(judge) in oracle.OracleRecord(_REAL("vectors") / "cases" / "oracle.json").judgements],
}
print(json.dumps(answers))
