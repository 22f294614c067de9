"""What is confirmed of conversations: the suite's broker holds one, and a script is the client.

A script has the address of the broker, the topic and a file as its arguments, then the settings of
the conversation as `name=value`. The file of a producer has what its application does, a step a
line; the script says of each step how it went. What follows in the output is seen by the broker:
requests, as far as a finding names them, and the values that a `read_committed` reader gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kafka_conformance.confirmation.programs import Program, run
from kafka_conformance.kinds.conversation import dialog
from kafka_conformance.kinds.conversation import questions as catalogue
from kafka_conformance.kinds.conversation.producing import visible_values
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.kinds.conversation.shapes import shown
from kafka_conformance.vectors import conversations, loader


def conversation_of(name: str) -> Conversation | None:
    """Return the conversation of a name; None if that is no conversation."""
    found = loader.of_family(conversations.FAMILY, (name,))
    return catalogue.conversation(found[0]) if found else None


def settings_of(playing: Conversation) -> list[str]:
    """Return the settings of a conversation as arguments."""
    return [f"{name}={value}" for name, value in playing.settings.items()]


def producer_lines(started: Program, playing: Conversation, wanted: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Run the script of a producer in a conversation; return what it prints and its broker saw.

    Raises:
        UsageError: the script took too long or failed.
    """
    steps = "".join(f"{step}\n" for step in playing.does)
    with dialog.cluster(playing) as (broker, server):
        printed = run(started, (broker.address, dialog.TOPIC), steps.encode(), *settings_of(playing))
        log = visible_values(broker.state)
        return (*printed, *request_lines(server.seen.requests, wanted), f"log: {' '.join(log) or 'empty'}")


def request_lines(requests: Iterable[ClientRequest], wanted: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return a line for each request of the wanted APIs, with the wanted fields; each line once."""
    lines = (
        " ".join([request.api, *(f"{name}={shown(request, name)}" for name in wanted[request.api])])
        for request in requests
        if request.api in wanted
    )
    return tuple(dict.fromkeys(lines))
