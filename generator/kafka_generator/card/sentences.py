"""The verdicts in words: of a client, and of a language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from kafka_conformance.targets.catalogue import Part
from kafka_tools.text import plural

from kafka_generator.card import circumstances
from kafka_generator.card.bugs import Bug
from kafka_generator.card.clients import Client
from kafka_generator.card.rules import RARE, TODAY, rules
from kafka_generator.recorded.changes import Line, lines

_NAMED: Final = 2
"""Bugs that a sentence tells; of more, it says how many."""

_OTHER: Final = (RARE, "elsewhere", "old")
"""The moments that a sentence tells of besides that of the verdict: data is sound then, too."""


def verdict(client: Client) -> str:
    """Return the verdict on a client, as sentences that begin with what it does."""
    return " ".join([_of_verdict(client), *_of_others(client), *_lacking(client), *_unknown(client)])


def of_reader(reader: Client) -> str:
    """Return what is said of a reader of keys and values, as `verdict` says it of a client."""
    asked, right = reader.rows[Part.SERDE].asked, reader.rows[Part.SERDE].asked - reader.rows[Part.SERDE].findings
    bugs = [bug for moment in TODAY for bug in reader.at(moment)]
    worst = f" With what serializers write, {_list(bugs)}." if bugs else ""
    return f"was asked about {plural(asked, 'value')}, and is right about {right} of them.{worst}"


def of_language(language: str, clients: Sequence[Client]) -> str:
    """Return the sentence about a language: the best of its clients first; empty if it has none.

    Args:
        language: its name.
        clients: those of the language, the best first.
    """
    live = [client for client in clients if client.is_client]
    if not live:
        return ""
    lead, *others = live
    rest = f" Beside it: {_and([client.name for client in others])}." if others else ""
    return f"For {language}: {lead.name} {verdict(lead)}{_since(lead.library)}{rest}"


def _since(library: str) -> str:
    """Say since which release a client is as good as the newest; empty if that is not known."""
    line = next((line for line in _lines() if line.library == library), None)
    if line is None or line.alike_since is line.rows[-1]:
        return ""
    since = line.alike_since
    words = f"{since.version}, the oldest that was run" if since is line.rows[0] else since.version
    return f" Of its recorded releases, none mended or broke anything in its {line.part} since {words}."


@cache
def _lines() -> list[Line]:
    return list(lines([Part.DECODER, Part.CONSUMER]))


def judged(client: Client) -> list[Bug]:
    """Return the bugs of the moment that makes the verdict; none if another thing does."""
    moments = client.level.moments
    return client.at(next(iter(moments))) if len(moments) == 1 else []


def _of_verdict(client: Client) -> str:
    bugs = judged(client)
    return f"{client.level.words}{f': {_list(bugs)}' if bugs else ''}."


def _of_others(client: Client) -> Iterator[str]:
    for name in _OTHER:
        if (bugs := client.at(name)) and name not in client.level.moments:
            many = f"it has {plural(len(bugs), 'bug')}, the worst: " if len(bugs) > 1 else ""
            does, _, _ = bugs[0].does.partition(": ")  # the page of the client has the rest
            yield f"{rules().moment(name).when.capitalize()}, {many}it {does}."


def _list(bugs: Sequence[Bug]) -> str:
    """Tell the first bugs, as parts of a sentence, and how many more there are."""
    named = [f"it {_does(bug)}" for bug in bugs[:_NAMED]]
    more = len(bugs) - len(named)
    return "; ".join([*named, *([f"and {more} more"] if more else [])])


def _does(bug: Bug) -> str:
    """Return what a client does; of what nobody looked at, when: a run names it for its kind."""
    is_told = bug.finding is not None or bug.met in {"", circumstances.PLAIN}
    return bug.does if is_told else f"{bug.does} ({bug.met})"


def _lacking(client: Client) -> Iterator[str]:
    """Say what people expect and it does not have."""
    if lacks := has_no(client):
        yield f"It {lacks}."


def has_no(client: Client) -> str:
    """Return what people expect and a client lacks: `has no transactions`; empty if it has all."""
    return f"has no {' and no '.join(word.removeprefix('an ') for word in client.missing)}" if client.missing else ""


def _unknown(client: Client) -> Iterator[str]:
    """Say what could make a verdict false and was not looked at."""
    if client.not_run:
        yield f"Its {_and(client.not_run)} {'were' if len(client.not_run) > 1 else 'was'} not run."
    if client.unexplained:
        yield f"No cause explains {plural(client.unexplained, 'finding')}."
    if client.unnamed:
        yield f"Of {plural(client.unnamed, 'further bug')} that users meet, no cause was recorded."
    if client.library == rules().judge:
        yield "Its own classes judge the vectors, so that it agrees with them says little."


def _and(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
