"""What a TARGET on the command line means.

- `reference`: the reference of this project, served in a process of its own like any other;
- `NAME` or `NAME@VERSION`: a known target, in its default or another pinned version; or in any that
  a registry has, if its manifest says how these are installed;
- `python:module:function`: a function that takes bytes and returns records;
- `cmd:PROGRAM ARGS`: any program that speaks the adapter protocol;
- `broker:HOST:PORT`: a broker that runs.
"""

import difflib
import re
import secrets
import shlex
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kafka_tools.errors import UsageError

from kafka_conformance.child.launch import Command
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import broker_address as address
from kafka_conformance.targets import manifest
from kafka_conformance.targets.broker_launch import NOWHERE, RunningBroker, StartedBroker
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.installation import Installation
from kafka_conformance.targets.manifest import Manifest
from kafka_conformance.targets.target_kind import ADAPTERS, TargetKind
from kafka_conformance.targets.words import PROGRAM, PYTHON, REFERENCE

ALL, NEEDING_PYTHON, CONSUMERS, PRODUCERS, BROKERS = "all", "python", "consumers", "producers", "brokers"
"""Groups of known targets that can be installed: every decoder, those that need nothing but Python,
every consumer, every producer, every broker."""

_GROUPS: Final[Mapping[str, TargetKind]] = {
    CONSUMERS: TargetKind.CONSUMER,
    PRODUCERS: TargetKind.PRODUCER,
    BROKERS: TargetKind.BROKER,
}
"""The groups that are all targets of a kind."""

_RELEASE: Final = re.compile(r"[0-9][0-9A-Za-z.+-]*")

ADVICE = "`kafka-conformance targets` says what it needs, and `targets --install NAME` installs it."
"""What to do about a target that is not ready."""


def candidate(target: str) -> Candidate:
    """Return the candidate that the user named; one that is not ready has a reason and no command.

    Raises:
        UsageError: there is no such target; near names are suggested.
    """
    if target == REFERENCE or target.startswith(PYTHON):
        command = _serve_here(target)
        about = None if target == REFERENCE else frozenset({"records"})
        return Candidate(target, command, isolated=command, about=about)
    if target.startswith(PROGRAM):
        return Candidate(target, _program(target))
    if target.startswith(address.BROKER):
        place = RunningBroker(address.parse(target), run=secrets.token_hex(4))
        return Candidate(target, None, kind=TargetKind.BROKER, place=place)
    return _known_candidate(target)


def _known_candidate(target: str) -> Candidate:
    return of(installation(target), target)


def of(installed: Installation, target: str) -> Candidate:
    """Return the candidate of an installation, under the name `target`."""
    described = installed.manifest
    try:
        installed.check()
    except NotReadyError as missing:
        return Candidate(target, None, described.issues, str(missing), kind=described.kind, about=described.about)
    if described.kind is TargetKind.BROKER:
        place = _start(installed)
        return Candidate(target, None, described.issues, kind=described.kind, place=place, about=described.about)
    return Candidate(
        target,
        installed.command(),
        described.issues,
        isolated=installed.isolated_command(),
        kind=described.kind,
        about=described.about,
    )


def candidates(
    names: Sequence[str],
    *,
    every: bool = False,
    ready: bool = False,
    everything: bool = False,
    about: Collection[str] = (),
) -> list[Candidate]:
    """Turn what the user typed into candidates, each once.

    Args:
        names: targets that were named; `consumers`, `producers` and `brokers` are all of a kind
            that are ready.
        every: True to add all known targets, ready or not.
        ready: True to add all that are ready, in every version.
        everything: True to add all consumers, producers and brokers, too, that are ready.
        about: what those that are added must declare one of; empty for anything.

    Raises:
        UsageError: there is no such target, or none was asked for.
    """
    known = _known(about) if every else []
    named = [target for name in names for target in (_ready(_GROUPS[name]) if name in _GROUPS else [name])]
    live = [target for kind in _GROUPS.values() for target in _ready(kind)] if everything else []
    adapters = ready_names(about) if ready or everything else []
    wanted = list(dict.fromkeys([*named, *known, *adapters, *live]))
    if not wanted and names:
        raise UsageError(f"none of {', '.join(names)} is ready.", ADVICE)
    if not wanted:
        raise UsageError("name a target, or --all or --ready.", "For example: kafka-conformance run reference")
    return [candidate(name) for name in wanted]


def _known(about: Collection[str]) -> list[str]:
    adapters = manifest.of_kind(*ADAPTERS).values()
    return [REFERENCE, *(target.name for target in adapters if _declares(target, about))]


def installations(*kinds: TargetKind) -> list[Installation]:
    """Every known target of one of the kinds in every version that is pinned, ready or not."""
    return [
        Installation(target, version) for target in manifest.of_kind(*kinds).values() for version in target.all_versions
    ]


def _ready(kind: TargetKind) -> list[str]:
    return [installed.name for installed in installations(kind) if installed.missing() is None]


def ready_names(about: Collection[str] = ()) -> list[str]:
    """Name every decoder and log reader that can be started; the reference first.

    Args:
        about: what they must declare one of; empty for anything.
    """
    adapters = installations(*ADAPTERS)
    return [
        REFERENCE,
        *(installed.name for installed in adapters if _declares(installed.manifest, about) and not installed.missing()),
    ]


def _declares(described: Manifest, about: Collection[str]) -> bool:
    """Tell whether a target declares one of these, or anything is asked for."""
    return not about or not described.about.isdisjoint(about)


def installable(names: Sequence[str]) -> Iterator[tuple[Installation, bool]]:
    """Yield each installation once, and whether it was asked for by name and not in a group.

    Raises:
        UsageError: there is no such target.
    """
    groups = {ALL, NEEDING_PYTHON, *_GROUPS, REFERENCE}  # the last needs no installing
    named = {installed.name: installed for installed in (installation(name) for name in names if name not in groups)}
    yield from ((installed, True) for installed in named.values())
    for installed in installations(*ADAPTERS):
        is_meant = ALL in names or (NEEDING_PYTHON in names and not installed.manifest.needs)
        if is_meant and installed.name not in named:
            yield installed, False
    others = installations(*(kind for group, kind in _GROUPS.items() if group in names))
    yield from ((installed, False) for installed in others if installed.name not in named)


def installation(target: str) -> Installation:
    """Find a known target by `name` or `name@version`.

    Raises:
        UsageError: no such name, or no such version of it.
    """
    name, _, version = target.partition("@")
    installed = manifest.load_all().get(name)
    if installed is None:
        raise UsageError(f"there is no target {name!r}.", _suggestion(name))
    if not version or version in installed.all_versions:
        return Installation(installed, version or installed.version)
    return _unpinned(installed, version)


def _unpinned(target: Manifest, version: str) -> Installation:
    """Return the installation of a release that no lock file pins, by `history` of its manifest.

    Raises:
        UsageError: no way is known to install it, or no release is called so.
    """
    pinned = f"Pinned: {', '.join(target.all_versions)}."
    if target.history is None:
        raise UsageError(f"{target.name} is not pinned in version {version}.", pinned)
    if not _RELEASE.fullmatch(version):
        raise UsageError(f"no release is called {version!r}.", pinned)
    return Installation(replace(target, install=target.history.install), version)


def _serve_here(target: str) -> Command:
    """Serve it with the suite's Python. Functions are looked for in the current folder first."""
    path = ("-P",) if target == REFERENCE else ()
    command = (sys.executable, *path, "-m", "kafka_conformance", "adapter", target)
    return Command(command)


def _start(installed: Installation) -> StartedBroker:
    """Return a broker that the suite starts when its turn comes."""
    described = installed.manifest
    return StartedBroker(
        NOWHERE,
        name=described.name,
        version=installed.version,
        language=described.language,
        url=described.url,
        run=secrets.token_hex(4),
        command=installed.command(),
    )


def _program(target: str) -> Command:
    try:
        words = shlex.split(target.removeprefix(PROGRAM))
    except ValueError as error:
        raise UsageError(f"cannot read {target!r} as a command: {error}.", "Quote it as for a shell.") from None
    if not words:
        raise UsageError("`cmd:` needs a program.", "For example: 'cmd:java -jar decoder.jar'.")
    if shutil.which(words[0]) is None:
        raise UsageError(f"there is no program {words[0]!r}, or it is not executable.", "Is the path right?")
    return Command(tuple(words))


def _suggestion(name: str) -> str:
    near = difflib.get_close_matches(name, [REFERENCE, *manifest.load_all()], n=3, cutoff=0.5)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return "`kafka-conformance targets` lists them. Your own is python:module:function, or 'cmd:PROGRAM ARGS'."
