"""docs/conversations.md: every conversation with what the broker does, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.conversation import shapes
from kafka_format.primitives.counts import byte_count

from kafka_generator.markdown import environment

PAGE: Final = "conversations.md"

_FRAMES: Final[Mapping[str, str]] = {
    "cut": "sends {} bytes of the answer and hangs up",
    "hang_up": "hangs up",
    "late": "answers {} s late",
    "pieces": "answers in pieces, {} s apart",
    "twice": "answers twice",
    "correlation": "answers with a correlation id that is {} too large",
    "size": "says that the answer has {} bytes",
    "behind": "puts bytes {} after the body",
    "short": "leaves out {} of the body at its end",
    "header_tag": "puts an unknown tagged field into the header",
}

_CHANGES: Final[Mapping[str, str]] = {
    "first_offset": "the log start is {} now",
    "leader": "node {} leads now",
    "leader_epoch": "the leader epoch is {} now",
    "log": "the log is another one now",
    "versions": "the versions are {} now",
    "made": "the topic is deleted, and made for the {}. time",
    "gone": "the topic is deleted",
    "coordinator": "node {} is the coordinator now",
    "group_epoch": "the group has a new epoch now",
    "locks": "all acquisition locks end",
    "taken": "another member has the records {} now",
    "standby": "tasks of {} are in standby now",
    "warmup": "tasks of {} are warmed up now",
}


def page(documents: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the page.

    Args:
        documents: the vectors of each table.
    """
    template = environment(Path(__file__).parents[1] / "templates").get_template("conversations.md.j2")
    return template.render(tables=documents, words=words, count=sum(map(len, documents.values())))


def words(document: Mapping[str, Any]) -> str:
    """Say what is special about the broker of a conversation, and what it does in order."""
    special = [*_special(document), *map(_step, document["steps"])]
    return "; ".join(special) or "answers as usual"


def _special(document: Mapping[str, Any]) -> Iterator[str]:
    if "does" in document:
        yield f"application: {', '.join(f'`{step}`' for step in document['does'])}"
    settings = [f"`{name}={value}`" for name, value in document["settings"].items()]
    if settings:
        yield f"client: {', '.join(settings)}"
    if document["isolation"] != "read_uncommitted":
        yield "client: `read_committed`"
    if document["fetch_offset"] != "0" or document["first_offset"] != "0":
        yield f"fetch offset {document['fetch_offset']}, log start {document['first_offset']}"
    for api, (low, high) in document["versions"].items():
        yield f"has `{api}` {low} to {high}"
    for name, value in document["broker"].items():
        yield f"`{name}`" if value is True else f"`{name}={value}`"


def _step(step: Mapping[str, Any]) -> str:
    said = [_change(name, value) for name, value in step.get("change", {}).items()]
    said += [
        _FRAMES[name].format(byte_count(value) if name == "short" else value)
        for name, value in step.get("frame", {}).items()
    ]
    said += [f"`{name}`: {_plain(value)}" for part in ("partition", "response") for name, value in _fields(step, part)]
    serve = step.get("serve", {})
    if serve.get("omit"):
        said.append("leaves out the partition")
    if "entries" in serve:
        cut = f" and {byte_count(serve['cut'])} more" if "cut" in serve else ""
        said.append(f"{serve['entries']} {'entry' if serve['entries'] == 1 else 'entries'}{cut}")
    if "do" in step:
        return f"the application does, with {step.get('records', 0)} records: {step['do']}"
    when = f" with {shapes.words(step['when'])}".replace("with with", "with") if "when" in step else ""
    times = f" ({step['times']} times)" if "times" in step else ""
    times += f" (each, until it asks `{step['until']}`)" if "until" in step else ""
    request = " or ".join(step[name] for name in ("request", "instead") if name in step)
    return f"{request}{when}{times}: {', '.join(said) or 'as usual'}"


def _change(name: str, value: Any) -> str:
    if name == "last_stable_offset":
        return "no transaction is open any more" if value is None else f"the last stable offset is {value} now"
    if name == "assign":
        return f"a member may have {', '.join(f'`{topic}`' for topic in value) or 'nothing'} now"
    if name in {"standby", "warmup"}:
        value = ", ".join(f"`{topic}`" for topic in value)
    return _CHANGES[name].format("" if name == "log" else value)


def _fields(step: Mapping[str, Any], part: str) -> Iterator[tuple[str, Any]]:
    for name, value in step.get(part, {}).items():
        if (name, value) != ("records", "") and name != "responses":
            yield ("unknown tagged field", value) if name == "tag" else (name, value)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {inner}" for name, inner in value.items())
    return "null" if value is None else f"{value}"
