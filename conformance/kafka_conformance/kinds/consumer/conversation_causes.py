"""What goes wrong in conversations, as bugs: by rule, or by what one is about and how it fails."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from kafka_tools.text import too_text

from kafka_conformance.diagnosis.groups import FindingGroup
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.consumer.conversation_facts import (
    RESET_NOT_LATEST,
    Finding,
    by_fact,
    told_errors,
    what_differs,
)
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector

_SILENT: Final = frozenset({Outcome.ACCEPTED_INVALID})
_REPORTED: Final = frozenset({Outcome.REFUSED_VALID, Outcome.PARTIAL_ANSWER})
_ANY: Final = frozenset(Outcome)


class _Kind(NamedTuple):
    """What findings of some conversations have in common.

    Attributes:
        patterns: of the ids, without `conversation/`.
        outcomes: how they fail.
        id: of the cause.
        does: what a consumer does that fails so.
        sorts: in so many sorts of conversations a wide cause shows; one sort has causes of its own.
    """

    patterns: tuple[str, ...]
    outcomes: frozenset[Outcome]
    id: str
    does: str
    sorts: int = 2


_MOST: Final = 0.6
"""So many of the conversations of a wide cause fail, if it is believed."""

_ERROR_SWALLOWED: Final = _Kind(
    (
        *("errors/not-authorized", "errors/error-of-a-later-release", "offsets/*-none"),
        *("groups/not-authorized", "groups/too-many-members", "groups/protocols-differ"),
    ),
    _SILENT,
    "error-swallowed",
    "does not tell its application an error that no retry mends, and seems to wait for records",
)

_CONNECTION_LOST: Final = _Kind(
    ("frames/hang-up", "frames/cut*", "leaders/moved*", "followers/replica-hangs-up"),
    _ANY,
    "connection-lost",
    "does not connect again, and ask again, when the broker hangs up",
)

LARGE_BATCH: Final = _Kind(
    ("limits/batch-larger-than-max-bytes",),
    _ANY,
    "large-batch",
    "does not take a batch that is larger than its own limit for a partition (KIP-74)",
)

PIECES: Final = _Kind(
    ("frames/in-pieces",),
    _ANY,
    "answer-in-pieces",
    "does not put together an answer that comes in pieces",
)

_LEADER_KEPT: Final = _Kind(
    ("leaders/*", "followers/replica-hangs-up"), _ANY, "leader-kept", "does not find the new leader of a partition"
)

_LEADERS: Final = frozenset({"leaders/older-metadata"})
"""What who does not find leaders fails, too, and others fail for their epochs."""

_WIDE: Final = (
    _Kind(
        (
            *(f"errors/{name}" for name in ("storage", "replica-not-available", "offset-not-available")),
            *(f"errors/unknown-{name}" for name in ("topic", "topic-id", "server-error")),
            *(f"leaders/{name}" for name in ("moved", "moved-and-named", "no-leader-yet", "*-epoch")),
            *(f"groups/{name}" for name in ("coordinator-not-available", "join-while-loading", "join-elsewhere")),
            *(f"groups/{name}" for name in ("offsets-while-loading", "unstable-offset", "commits-again")),
            "offsets/offset-not-available",
            "followers/no-replica-any-more",
        ),
        _ANY - _SILENT,
        "no-retry",
        "does not try again what fails for now: error codes that a retry mends end it",
    ),
    _ERROR_SWALLOWED,
    _Kind(
        ("offsets/below-*", "offsets/beyond-*", "offsets/log-start-moves-between"),
        _ANY - _SILENT - {Outcome.WRONG_ANSWER},
        "out-of-range",
        "does not reset an offset that is out of range, whatever auto.offset.reset says",
        1,
    ),
    _CONNECTION_LOST,
)
"""What shows in conversations of several sorts, if most of these fail; it is looked for first."""

_KINDS: Final = (
    _Kind(
        ("offsets/*-none",),
        _ANY,
        "reset-none-ignored",
        "does not tell its application that an offset is out of range where auto.offset.reset is none",
    ),
    _Kind(
        ("offsets/*-latest", "followers/out-of-range-and-reset"),
        _ANY,
        "reset-not-latest",
        "does not reset an offset that is out of range to the latest, as auto.offset.reset says",
    ),
    _Kind(
        ("offsets/*-earliest", "offsets/log-start-moves-between", "groups/committed-is-gone"),
        _ANY,
        "reset-not-earliest",
        "does not reset an offset that is out of range to the earliest, as auto.offset.reset says",
    ),
    _Kind(
        ("offsets/log-start-within-a-batch",),
        _ANY,
        "before-fetch-offset-in-batch",
        "goes wrong where the log start lies inside of a batch",
    ),
    _Kind(
        ("offsets/offset-not-available",),
        _ANY,
        "list-offsets-not-retried",
        "does not ask again for the offsets of a log when ListOffsets says OFFSET_NOT_AVAILABLE",
    ),
    _ERROR_SWALLOWED._replace(patterns=("errors/*",)),
    _Kind(
        ("errors/*",),
        _ANY,
        "error-not-retried",
        "does not go on as it should after an error code in the answer to a fetch",
    ),
    _Kind(
        ("progress/wrong-checksum*",),
        _ANY,
        "checksum-swallowed",
        "passes over a batch with a wrong checksum, and tells no error",
    ),
    _Kind(
        ("leaders/truncated-log",),
        _ANY,
        "log-truncation",
        "does not go back to where a new leader has cut off the log (KIP-320)",
    ),
    _Kind(
        (
            "leaders/fenced-epoch",
            "leaders/unknown-epoch",
            "leaders/older-metadata",
            "groups/commit-of-an-old-epoch",
            "groups/commits-with-epoch",
        ),
        _ANY,
        "leader-epoch-ignored",
        "does not look at leader epochs",
    ),
    _LEADER_KEPT,
    _Kind(("followers/*",), _ANY, "replica", "goes wrong where the leader sends it to a nearer replica (KIP-392)"),
    _Kind(("sessions/*",), _ANY, "fetch-session", "goes wrong in a fetch session (KIP-227)"),
    _Kind(
        ("groups/coordinator-not-available", "groups/join-while-loading", "groups/*-elsewhere"),
        _ANY,
        "coordinator",
        "does not look for the coordinator of its group again, or does not ask it again",
    ),
    _Kind(("groups/commits-*",), _ANY, "commit", "does not commit an offset as it should"),
    _Kind(
        ("groups/heartbeat-*", "groups/fenced-by-heartbeat"),
        _ANY,
        "heartbeat",
        "does not heed what the answer to a heartbeat says",
    ),
    _Kind(
        ("groups/offsets-*", "groups/unstable-offset", "groups/goes-on", "groups/first-time"),
        _ANY,
        "committed-offset",
        "does not begin where its group has committed",
    ),
    _Kind(
        ("groups/not-authorized", "groups/too-many-members", "groups/protocols-differ", "groups/fenced-at-joining"),
        _SILENT,
        "group-error-swallowed",
        "does not tell its application an error of its group that no retry mends",
    ),
    _Kind(
        ("groups/sync-*", "groups/follower-of-the-group"),
        _ANY,
        "rebalance",
        "goes wrong in a rebalance of its group: it does not join again, or does not take what it is assigned",
    ),
    _Kind(("groups/*",), _ANY, "group", "goes wrong when it joins a group"),
    _Kind(
        ("transactions/committed-across-fetches",),
        _ANY,
        "unmarked-transactions-lost",
        "loses the records of a transaction, with read_committed, whose marker comes in a later answer",
    ),
    _Kind(
        ("transactions/open-*", "transactions/latest-is-the-stable-offset"),
        _ANY,
        "last-stable-offset",
        "does not wait at the last stable offset as it should, where a transaction is open",
    ),
    _Kind(
        ("transactions/*",),
        _ANY,
        "transactions-across-answers",
        "goes wrong where an aborted transaction reaches over several answers",
    ),
    _Kind(
        ("frames/*-correlation-id", "frames/twice"),
        _ANY,
        "correlation-id",
        "takes an answer for that to another request: it does not look at the correlation id",
    ),
    _Kind(
        ("frames/tag-*", "versions/fetch-1[237]"),
        _ANY,
        "flexible-fetch",
        "does not read the answers of flexible versions of Fetch",
    ),
    _Kind(
        ("frames/late*",),
        _ANY,
        "request-timeout",
        "does not give up a request when its time is over, or gives it up too early",
    ),
    _CONNECTION_LOST._replace(patterns=("frames/hang-up", "frames/cut*")),
    _Kind(
        ("frames/negative-size", "frames/size-*", "frames/huge-size"),
        _ANY,
        "frame-size",
        "does not hang up where the size of a frame cannot be right",
    ),
    _Kind(
        ("frames/body-too-short",),
        _ANY,
        "body-too-short",
        "takes an answer whose last byte is missing for a whole one, or does not go on behind it",
    ),
    _Kind(
        ("frames/bytes-behind-the-body",),
        _ANY,
        "bytes-behind-the-body",
        "goes wrong where bytes follow the body of an answer",
    ),
    PIECES,
    _Kind(("frames/*",), _ANY, "frame", "does not stand a connection that breaks, or a frame that is wrong"),
    _Kind(("limits/throttled*",), _ANY, "throttling", "does not wait as the throttle time of an answer says"),
    _Kind(
        ("limits/*cut*",), _REPORTED, "cut-entry-refused", "tells an error of a last entry that the broker has cut off"
    ),
    _Kind(("limits/*cut*",), _ANY, "cut-entry", "goes wrong where the broker has cut off a last entry"),
    LARGE_BATCH,
    _Kind(("limits/*",), _ANY, "empty-answer", "does not go on after an answer without records"),
    _Kind(
        ("versions/fallback*", "versions/downgraded"),
        _ANY,
        "api-versions",
        "does not settle with a broker on versions that both have",
    ),
    _Kind(("versions/*",), _ANY, "fetch-version", "does not read the answers of some versions of Fetch"),
    _Kind(
        ("progress/gap-*",),
        _ANY,
        "position-behind-last-record",
        "goes on behind the last record of a batch, and not behind its last offset",
    ),
    _Kind(("progress/empty-*",), _ANY, "empty-batch-stops", "does not get past a batch without records"),
    _Kind(("progress/control-*",), _ANY, "control-batch-stops", "does not get past a control batch"),
    _Kind(("progress/hole-*",), _ANY, "gap-stops", "does not get past a gap in offsets, as compaction leaves"),
    _Kind(
        ("progress/batch-begins-before",),
        _ANY,
        "before-fetch-offset",
        "delivers the records of a batch that are before the offset that it asked for",
    ),
    _Kind(("progress/*",), _ANY, "progress", "does not get past a gap, a marker or an empty batch"),
)
"""What is looked for, in this order."""

_PREFIX: Final = "conversation/"


def conversation_groups(
    findings: Iterable[Result], vectors: Mapping[str, Vector]
) -> Iterator[tuple[FindingGroup, Sequence[Result]]]:
    """Yield the findings of conversations, by bug.

    Those that are about a rule have that as their cause. Of the others, what shows in most
    conversations of several sorts is one bug, and the rest is one bug a sort.

    Args:
        findings: what failed.
        vectors: all that was asked, by id.
    """
    groups: dict[FindingGroup, list[Result]] = defaultdict(list)
    left: dict[str, Result] = {}
    for result in findings:
        document = vectors[result.vector].document
        if "rule" in document:
            kind = document.get("client", "consumer")
            groups[FindingGroup(f"{kind}/{document['rule']}", document["breach"])].append(result)
        else:
            left[result.vector.removeprefix(_PREFIX)] = result
    for wide in _WIDE:
        taken = [name for name, result in left.items() if _shows(wide.patterns, wide.outcomes, name, result)]
        held = sum(any(fnmatchcase(name.removeprefix(_PREFIX), each) for each in wide.patterns) for name in vectors)
        sorts = {name.partition("/")[0] for name in taken}
        if len(sorts) >= wide.sorts and len(taken) >= _MOST * held:
            groups[FindingGroup(f"consumer/{wide.id}", wide.does)] += [left.pop(name) for name in taken]
    for group, names in told_errors(_findings(left, vectors)):
        groups[group] += [left.pop(name) for name in names]
    yield from groups.items()
    yield from _by_kind(_findings(left, vectors))


def fact_groups(
    findings: Iterable[Result], vectors: Mapping[str, Vector]
) -> Iterator[tuple[FindingGroup, Sequence[Result]]]:
    """Yield the findings of conversations whose difference says what the bug is."""
    left = {
        result.vector.removeprefix(_PREFIX): result
        for result in findings
        if "rule" not in vectors[result.vector].document
    }
    for group, names in (*_moved_commits(left), *by_fact(_findings(left, vectors))):
        yield group, [left[name] for name in names]


def without_earliest(
    findings: Iterable[Result], vectors: Mapping[str, Vector]
) -> tuple[FindingGroup, Sequence[Result]] | None:
    """Return all that comes of who does not begin at the earliest offset; None if it does.

    It gets nothing in each conversation in which its group has committed nothing, whatever that is
    about. Who goes to the earliest where the latest is asked for has taken one for the other.
    """
    known = {result.vector.removeprefix(_PREFIX): result for result in findings}
    if not all(name in known and _gets_nothing(known[name]) for name in _EARLIEST):
        return None
    about = [each.result for each in _findings(known, vectors) if _begins_at_earliest(each)]
    taken = [result for result in about if not result.answer or result.path.endswith(".next.offset")]
    for group, names in by_fact(_findings(known, vectors)):
        if group.id == RESET_NOT_LATEST:
            return _SWAPPED, [*taken, *(known[name] for name in names)]
    return _NOT_EARLIEST, taken


_EARLIEST: Final = ("offsets/below-log-start-earliest", "offsets/beyond-the-end-earliest")
"""Conversations about the earliest offset alone."""

_SWAPPED: Final = FindingGroup(
    "consumer/reset-swapped",
    "goes to the latest offset where auto.offset.reset is earliest, and to the earliest where it is latest",
)
_NOT_EARLIEST: Final = FindingGroup(
    "consumer/reset-not-earliest", "gets nothing where auto.offset.reset is earliest: it does not begin there"
)


def _begins_at_earliest(finding: Finding) -> bool:
    """Tell whether a conversation begins at the earliest offset, and has records there."""
    document = finding.document
    committed, *_ = document["broker"].get("committed", [-1])
    is_reset = committed < int(document["first_offset"])
    asks = document["settings"].get("reset") == "earliest"
    return asks and is_reset and bool(document["expect"]["records"])


def _gets_nothing(result: Result) -> bool:
    return result.outcome is Outcome.WRONG_ANSWER and not result.answer


def _findings(left: Mapping[str, Result], vectors: Mapping[str, Vector]) -> list[Finding]:
    return [Finding(name, result, vectors[_PREFIX + name].document) for name, result in left.items()]


def _by_kind(left: Iterable[Finding]) -> Iterator[tuple[FindingGroup, Sequence[Result]]]:
    """Yield what is left by what conversations are about, with how it differs if all do alike."""
    kinds: dict[_Kind, list[Finding]] = defaultdict(list)
    for finding in sorted(left, key=lambda each: each.name in _LEADERS):
        name, result = finding.name, finding.result
        kind = next((each for each in _KINDS if _shows(each.patterns, each.outcomes, name, result)), None)
        if kind is not None:
            kinds[_LEADER_KEPT if name in _LEADERS and _LEADER_KEPT in kinds else kind].append(finding)
    for kind, found in kinds.items():
        group = FindingGroup(f"consumer/{kind.id}", f"{kind.does}{what_differs(found)}")
        yield group, [finding.result for finding in found]


_COMMITS: Final = ".offset_commit"
_OFFSET: Final = re.compile(r"\boffset`?\s+(-?\d+)")
"""Where an offset stands in what was expected of a commit, and in what came."""


def _moved_commits(left: Mapping[str, Result]) -> Iterator[tuple[FindingGroup, Sequence[str]]]:
    """Yield commits that are as far from where they should be, whatever conversation shows them."""
    by_step: dict[int, list[str]] = defaultdict(list)
    for name, result in left.items():
        due, got = _OFFSET.search(result.expected), _OFFSET.search(result.got)
        if _COMMITS in result.path and due and got and due[1] != got[1]:
            by_step[int(got[1]) - int(due[1])].append(name)
    for step, names in by_step.items():
        how = too_text(step)
        last = ": that of the last record that it has had, not the one behind it" if step == -1 else ""
        yield FindingGroup("consumer/commit-moved", f"commits offsets that are {how}{last}"), names


def _shows(patterns: Iterable[str], outcomes: frozenset[Outcome], name: str, result: Result) -> bool:
    return result.outcome in outcomes and any(fnmatchcase(name, pattern) for pattern in patterns)
