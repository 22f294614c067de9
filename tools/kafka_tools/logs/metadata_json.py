"""The image of a cluster's metadata as JSON, and the difference between two images."""

from collections.abc import Iterator
from typing import Any

from kafka_format.log.contents.image import Image

_RESOURCES = {0: "unknown", 2: "topic", 4: "broker", 8: "broker-logger", 16: "client-metrics", 32: "group"}


def document(image: Image) -> dict[str, Any]:
    """Return an image, with names where records have numbers."""
    return {
        "offset": image.offset,
        "features": dict(sorted(image.features.items())),
        "brokers": {str(number): _fields(broker) for number, broker in sorted(image.brokers.items())},
        "controllers": {str(number): _plain(each) for number, each in sorted(image.controllers.items())},
        "topics": {
            topic.name: {
                "id": number,
                "partitions": {str(each): part._asdict() for each, part in sorted(topic.partitions.items())},
            }
            for number, topic in sorted(image.topics.items(), key=lambda item: item[1].name)
        },
        "configs": {
            f"{_RESOURCES.get(kind, kind)} {name}": dict(sorted(values.items()))
            for (kind, name), values in sorted(image.configs.items())
        },
        "client_quotas": {
            ", ".join(f"{kind} {name if name is not None else '<default>'}" for kind, name in entity): values
            for entity, values in sorted(image.quotas.items(), key=str)
        },
        "acls": {number: _plain(acl) for number, acl in sorted(image.acls.items())},
        "scram_users": [f"{name} (mechanism {mechanism})" for name, mechanism in sorted(image.credentials)],
        "delegation_tokens": sorted(image.tokens),
        "next_producer_id": image.next_producer_id,
        "open_transaction": image.transaction,
    }


def _fields(broker: Any) -> dict[str, Any]:  # noqa: ANN401 - a dataclass with slots
    return {name: getattr(broker, name) for name in broker.__dataclass_fields__}


def _plain(value: Any) -> Any:  # noqa: ANN401 - values of layouts
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(each) for name, each in value._asdict().items() if name != "unknown_tagged_fields"}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def lines(value: Any, indent: int = 0) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Yield an image as a tree of lines; what is empty is left out."""
    space = "  " * indent
    for name, each in value.items():
        if isinstance(each, dict) and each:
            yield f"{space}{name}"
            yield from lines(each, indent + 1)
        elif each not in ({}, [], (), None):
            yield f"{space}{name}: {_text(each)}"


def _text(value: Any) -> str:  # noqa: ANN401 - JSON
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def differences(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401
    """Yield where two images differ: the path, and what each has there; None for nothing."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*old, *new)):
            yield from differences(old.get(name), new.get(name), (*path, str(name)))
    elif old != new:
        yield " / ".join(path), old, new
