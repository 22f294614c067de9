"""Causes that what differs in a conversation says by itself, whatever the conversation is about.

What was expected, what came, and what the broker had done just before name the fault: one that
begins again at its first offset does so wherever a connection breaks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kafka_conformance.diagnosis.groups import FindingGroup
from kafka_conformance.judging.result import ASKED, Result
from kafka_conformance.outcomes import Outcome

_FEW: Final = 3
"""Error codes that are named one by one."""

_TOLD: Final = frozenset({Outcome.REFUSED_VALID, Outcome.PARTIAL_ANSWER})
_STEP: Final = re.compile(r"steps\[(\d+)\]")
_RECORD: Final = re.compile(r"records\[(\d+)\]\.offset")
_OUT_OF_RANGE: Final = "OFFSET_OUT_OF_RANGE"
_BROKEN: Final = frozenset({"hang_up", "cut"})
"""What a broker does that breaks a connection."""

_CONNECTION: Final = frozenset({*_BROKEN, "late", "size"})
"""What a broker does, behind which a client has to connect anew."""

_ISOLATIONS: Final = {"0": "read_uncommitted", "1": "read_committed"}
_API_NAMES: Final = {"fetch": "Fetch", "list_offsets": "ListOffsets"}


RESET_NOT_LATEST: Final = "consumer/reset-not-latest"

STANDS_STILL: Final = "consumer/stands-still-at-damage"

_DAMAGE: Final = "progress/wrong-checksum"
"""How the ids begin of conversations with a damaged batch."""


class Finding(NamedTuple):
    """One conversation that went wrong.

    Attributes:
        name: its id, without what all have in front.
        result: what came of it.
        document: the conversation.
    """

    name: str
    result: Result
    document: Mapping[str, Any]

    @property
    def step(self) -> Mapping[str, Any]:
        """The step that the finding is about, else the last one with which the broker does harm."""
        steps: Sequence[Mapping[str, Any]] = self.document.get("steps", ())
        if found := _STEP.match(self.result.path):
            return steps[int(found[1])]
        return next((step for step in reversed(steps) if error_of(step) or step.get("frame")), {})

    @property
    def is_named_replica(self) -> bool:
        """True if the leader has sent the client to another replica."""
        return any("preferred_read_replica" in step.get("partition", {}) for step in self.document.get("steps", ()))

    @property
    def is_twice(self) -> bool:
        """True if a record came twice, one right behind the other."""
        found = _RECORD.fullmatch(self.result.path)
        came, at = self.result.answer or (), int(found[1]) if found else 0
        return 0 < at < len(came) and came[at].offset == came[at - 1].offset

    @property
    def offsets(self) -> tuple[int, int] | None:
        """The least offset that is due, and the one that came; None if it is not about them."""
        path = self.result.path
        if not (path.endswith(".next.offset") or path == "position" or _RECORD.fullmatch(path)):
            return None
        due, got = (re.findall(r"-?\d+", text) for text in (self.result.expected, self.result.got))
        return (min(map(int, due)), int(got[0])) if due and got else None


def error_of(step: Mapping[str, Any]) -> str:
    """Return the error code that a broker answers in a step; empty for none."""
    said = {**step.get("response", {}), **step.get("partition", {})}
    code = next((value for name, value in said.items() if name.endswith("error_code") and value not in {0, "none"}), "")
    return str(code).upper()


def by_fact(findings: Iterable[Finding]) -> Iterator[tuple[FindingGroup, Sequence[str]]]:
    """Yield what explains itself, whatever else a consumer does wrong; each finding once."""
    yield from _grouped(findings, _FACTS)


def told_errors(findings: Iterable[Finding]) -> Iterator[tuple[FindingGroup, Sequence[str]]]:
    """Yield the errors that a retry mends and that a consumer gives its application, as one.

    Broken connections are another.
    """
    told: dict[str, list[str]] = defaultdict(list)
    broken: list[str] = []
    for finding in findings:
        is_told = finding.result.outcome in _TOLD and not finding.result.path
        if is_told and not _BROKEN.isdisjoint(finding.step.get("frame", ())):
            broken.append(finding.name)
            continue
        code = error_of(finding.step) or ("NOT_LEADER_OR_FOLLOWER" if _moves_leader(finding) else "")
        if code and is_told:
            told[code].append(finding.name)
    if broken:
        does = "tells its application that a connection broke, and does not connect and ask again"
        yield FindingGroup("consumer/connection-told", does), broken
    if told:
        words = " and ".join(", ".join(told).rsplit(", ", 1))
        does = f"tells {words} as an error, and does not try again, with new metadata if need be"
        yield FindingGroup("consumer/error-told", does), [name for names in told.values() for name in names]


def _moves_leader(finding: Finding) -> bool:
    return any("leader" in step.get("change", {}) for step in finding.document.get("steps", ()))


def what_differs(findings: Sequence[Finding]) -> str:
    """Return in words the field that differs in all, or the error codes before; else empty."""
    results = [finding.result for finding in findings]
    fields = {result.path.rpartition(".")[2] for result in results}
    codes = sorted({code for finding in findings if (code := error_of(finding.step))})
    if len(fields) == 1 and fields != {""}:
        alike = {(result.expected, result.got) for result in results}
        (field,), first = fields, results[0]
        return f" (`{field}` is {first.got}, not {first.expected}{'' if len(alike) == 1 else ', for one'})"
    return f" ({', '.join(codes)})" if 0 < len(codes) <= _FEW else ""


_Fact = Callable[[Finding], FindingGroup | None]


def _grouped(findings: Iterable[Finding], facts: Iterable[_Fact]) -> Iterator[tuple[FindingGroup, Sequence[str]]]:
    groups: dict[FindingGroup, list[str]] = defaultdict(list)
    for finding in findings:
        if group := next((group for fact in facts if (group := fact(finding)) is not None), None):
            groups[group].append(finding.name)
    yield from groups.items()


def _unasked(finding: Finding) -> FindingGroup | None:
    """Name what the client asks the broker for, other than it was set or told."""
    result = finding.result
    if not result.path.startswith(f"{ASKED}."):
        return None
    _, api, field = result.path.split(".")
    due, got = result.expected, result.got
    if field == "current_leader_epoch":
        does = "fetches in the leader epoch that it knew first, whatever epoch the metadata has told since"
        return FindingGroup("consumer/leader-epoch-kept", does)
    if field == "isolation_level":
        due, got = (_ISOLATIONS.get(each, each) for each in (due, got))
        does = f"asks {_API_NAMES[api]} for {got}, where its application has set {due}"
        return FindingGroup(f"consumer/isolation-not-asked-of-{api}", does)
    does = f"does not ask {_API_NAMES[api]} for the `{field}` that its application has set: {got}, not {due}"
    return FindingGroup(f"consumer/{field}-not-asked", does)


def _stays_with_leader(finding: Finding) -> FindingGroup | None:
    named = finding.step.get("partition", {}).get("preferred_read_replica")
    if not finding.result.path.endswith(".next.node") or str(named) != finding.result.expected:
        return None
    return FindingGroup("consumer/replica", "does not fetch from the replica that the leader names (KIP-392)")


def _replica_out_of_range(finding: Finding) -> FindingGroup | None:
    is_there = not finding.result.path or _STEP.match(finding.result.path)
    if not is_there or not finding.is_named_replica or error_of(finding.step) != _OUT_OF_RANGE:
        return None
    does = "resets its offset or tells an error where a follower says OFFSET_OUT_OF_RANGE, and does not ask the leader"
    return FindingGroup("consumer/replica-out-of-range", does)


def _resets_to_start(finding: Finding) -> FindingGroup | None:
    """Name who goes to the start of the log where the end is asked for."""
    document, result = finding.document, finding.result
    if document.get("settings", {}).get("reset") != "latest" or error_of(finding.step):
        return None
    came = result.answer or ()
    is_start = came and result.path == "records" and came[0].offset == int(document["first_offset"])
    moved = finding.offsets
    if not is_start and (moved is None or moved[1] != int(document["first_offset"])):
        return None
    does = "resets its offset to the earliest where auto.offset.reset is latest"
    return FindingGroup(RESET_NOT_LATEST, does)


def _goes_back(finding: Finding) -> FindingGroup | None:
    """Name who goes back to where it began, behind whatever the broker did."""
    moved = finding.offsets
    if moved is None or not moved[1] == int(finding.document["fetch_offset"]) < moved[0] or finding.is_twice:
        return None
    step = finding.step
    if finding.name.startswith(_DAMAGE):
        does = "goes back to where an answer began if a batch in it is damaged, and delivers again what came before"
        return FindingGroup("consumer/again-before-error", does)
    if code := error_of(step):
        return FindingGroup("consumer/begins-again-after-error", f"begins again at its first offset after {code}")
    if not step.get("frame"):
        return None
    return FindingGroup("consumer/begins-again-connected", "begins again at its first offset when a connection broke")


def _stands_still(finding: Finding) -> FindingGroup | None:
    """Name who gives nothing of what is behind a damaged batch, and tells nothing."""
    result = finding.result
    if not finding.name.startswith(_DAMAGE) or result.outcome is not Outcome.ACCEPTED_INVALID:
        return None
    last = max(int(record["offset"]) for record in finding.document["expect"]["records"])
    if result.answer is None or any(record.offset == last for record in result.answer):
        return None
    return FindingGroup(STANDS_STILL, "stands still in front of what is damaged, and tells no error")


def _goes_elsewhere(finding: Finding) -> FindingGroup | None:
    """Name who asks again, and at another offset, behind what the broker did in a step."""
    moved, step = finding.offsets, finding.step
    change = step.get("change", {})
    if moved is None or not finding.result.path.endswith(".next.offset") or {"log", "first_offset"} & change.keys():
        return None
    if error_of(step) and error_of(step) != _OUT_OF_RANGE:
        when, kind = "after an error code", "error"
    elif _CONNECTION & step.get("frame", {}).keys():
        when, kind = "when a connection broke", "connection"
    elif "preferred_read_replica" in step.get("partition", {}):
        when, kind = "when the leader names another replica", "replica"
    else:
        return None
    far = moved[1] - moved[0]
    words = f"{abs(far)} offset{'' if abs(far) == 1 else 's'} too {'far' if far > 0 else 'near'}"
    return FindingGroup(f"consumer/position-moved-by-{kind}", f"goes on {words} {when}")


_FACTS: Final[Sequence[_Fact]] = (
    _unasked,
    _stays_with_leader,
    _replica_out_of_range,
    _resets_to_start,
    _goes_back,
    _goes_elsewhere,
    _stands_still,
)
"""What is looked for, in this order."""
