"""The order of clients within a language: the one that can be trusted most stands first.

Who can do more can be asked more, and shows more bugs. So of clients that are alike in what people
expect, only bugs count that all of them could have shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache

from kafka_conformance.kinds.conversation import questions
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets import manifest
from kafka_conformance.targets.manifest import Manifest
from kafka_conformance.vectors.loader import EVERY

from kafka_generator.card.bugs import Bug
from kafka_generator.card.clients import LIVE, OTHERS, Client, language_of
from kafka_generator.card.moments import moment_of
from kafka_generator.card.rules import rules
from kafka_generator.recorded.results import topic_of


def ordered(clients: Collection[Client]) -> list[Client]:
    """Return the clients of a language, the best first."""
    return sorted(clients, key=lambda client: badness(client, alike(client, clients)))


def alike(client: Client, others: Iterable[Client]) -> list[Client]:
    """Return those that lack as much as a client, and of which as many parts were run: it, too."""
    return [other for other in others if _standing(other) == _standing(client)]


def badness(client: Client, peers: Iterable[Client]) -> tuple[object, ...]:
    """Return the sort key of a client, the best first.

    Those that lack less come first, then those of which consumer and producer were run; then those
    with fewer bugs of the worst verdict, of the next, and so on.

    Args:
        client: the client.
        peers: those that are `alike`.
    """
    bugs = common(client, peers)
    counts = [sum(level.tells(bug.moment, bug.harm) for bug in bugs) for level in rules().levels if level.moments]
    counts[0] += client.unnamed  # nobody knows what they do
    return (*_standing(client), *counts, len(bugs), client.library)


def common(client: Client, peers: Iterable[Client]) -> list[Bug]:
    """Return the bugs of a client that all of its peers could have shown."""
    others = [peer for peer in peers if peer is not client]
    return [bug for bug in client.bugs if all(could_show(peer, bug) for peer in others)]


def could_show(client: Client, bug: Bug) -> bool:
    """Tell whether a client was asked a vector that shows a bug of another, at its moment."""
    if bug.part not in LIVE:
        return True
    row = client.rows.get(bug.part)
    known = (bug.example, *bug.vectors)
    shown = [vector for vector in known if moment_of([vector]) == bug.moment] or known
    return row is not None and any(_was_asked(row.name, row.cells, vector) for vector in shown)


def _was_asked(target: str, topics: Collection[str], vector: str) -> bool:
    if topics and topic_of(vector) not in topics:
        return False
    conversation = _conversations().get(vector)
    known = manifest.load_all().get(target)
    return conversation is None or known is None or not questions.gap(conversation, _hello(known))


def by_language(every: Iterable[Client]) -> Mapping[str, list[Client]]:
    """Return clients by language, in the order of the rules, the best first within each."""
    groups: dict[str, list[Client]] = {}
    for client in every:
        groups.setdefault(language_of(client), []).append(client)
    order = [*(language.name for language in rules().languages), OTHERS]
    return {name: ordered(groups[name]) for name in order if name in groups}


@cache
def _conversations() -> Mapping[str, Conversation]:
    chosen = questions.load(EVERY)
    return {asked.vector.id: asked for asked in questions.questions(chosen)}


def _hello(target: Manifest) -> Hello:
    """Return what a client says of itself when it runs, as its manifest claims it."""
    settings = target.settings or None
    formats, codecs = target.formats, target.codecs
    return Hello(target.name, "", "", formats, codecs, (), checks_crc=False, kind=target.kind, settings=settings)


def _standing(client: Client) -> tuple[int, int]:
    return len(client.missing), -sum(part in client.rows for part in LIVE)
