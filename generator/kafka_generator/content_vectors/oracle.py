"""What the classes say that own a format: Kafka's, and those of registries; each is a target.

What Confluent's class says is kept: JudgeConfluent.java says how it is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.kinds.serde import questions
from kafka_conformance.kinds.serde.kind import KIND
from kafka_conformance.protocol.messages import Status
from kafka_conformance.targets.resolve import candidate, installation
from kafka_conformance.vectors import contents

from kafka_generator.content_vectors import cases, files

TARGETS: Final = {
    "serde-kafka-clients": "kafka",
    "serde-apicurio-registry-java": "apicurio",
    "serde-aws-glue-schema-registry-java": "glue",
    "serde-azure-schema-registry-java": "azure",
    "serde-cloudevents-java": "cloudevents",
}
"""The targets that are asked, and what they are called beside their releases."""


def ask(directory: Path) -> None:
    """Ask every pinned release, and write what they say into vectors/cases.

    Raises:
        LayoutError: a table is wrong.
        NotReadyError: a release is not installed.
    """
    vectors = [contents.vector_of(line) for line in cases.load(directory)]
    said = {release: dict(_ask(target, vectors)) for target, release in _releases()}
    file = directory / files.ORACLE
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps(kept | said, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def _releases() -> Iterator[tuple[str, str]]:
    """Yield each pinned release: its target, and what it is called."""
    for target, called in TARGETS.items():
        known = installation(target).manifest
        yield target, f"{called} {known.version}"
        yield from ((f"{target}@{version}", f"{called} {version}") for version in known.versions)


def _ask(name: str, vectors: Iterable[Any]) -> Iterable[tuple[str, Mapping[str, Any]]]:
    installation(name).check()
    target = candidate(name)
    session = KIND.open(target, Limits(), lambda: False)
    try:
        asked = [each for each in questions.questions(vectors) if not _gap(each, session.hello)]
        for reaction in sorted(session.ask(asked), key=lambda each: each.question):
            if not _is_gap(reaction):
                yield asked[reaction.question].vector.id, _said(reaction)
    finally:
        session.close()


def _gap(question: questions.SerdeQuestion, hello: Any) -> str:
    return questions.gap(question, hello)


def _is_gap(reaction: Reaction) -> bool:
    return not isinstance(reaction.reply, Loss) and reaction.reply.status == Status.UNSUPPORTED


def _said(reaction: Reaction) -> Mapping[str, Any]:
    reply = reaction.reply
    if isinstance(reply, Loss):
        return {"died": reply.detail}
    return {"accepted": json.loads(reply.content)} if reply.status == Status.ANSWER else {"refused": reply.text}
