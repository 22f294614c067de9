"""Leftovers of a data directory, as lines: what each is, what a start does, if it may go."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from kafka_format.log.leftovers import Leftover, LeftoverAction
from kafka_format.log.topic_names import TopicNames, topics

from kafka_tools.text import plural, size_text

NOTHING = "nothing is left over"
_ADVICE = {
    LeftoverAction.SWAPPED: "no: it holds the records now, start the broker and it is done",
    LeftoverAction.MOVED_ON: "no, unless the move is given up: start the broker and it goes on",
}


def lines(path: Path, files: Iterable[Leftover], *, show_all: bool = False) -> Iterator[str]:
    """Yield lines about the leftovers below a path; names are relative to it.

    Args:
        path: what the user named.
        files: the leftovers.
        show_all: name each; else files of a partition that are alike are one line.
    """
    known, count, removable, size = dict[Path, TopicNames | None](), 0, 0, 0
    groups = dict[tuple[object, ...], list[Leftover]]()
    for each in files:
        data = each.path.parent if each.path.is_dir() else each.path.parent.parent
        known.setdefault(data, topics(data))
        count, removable, size = count + 1, removable + each.may_go, size + each.size
        key = (each.path,) if show_all or each.topic_id else (each.path.parent, each.action)
        groups.setdefault(key, []).append(each)
    for group in groups.values():
        yield from _group(path, group, known)
    yield f"{plural(count, 'leftover')}, {size_text(size)}; {removable:,} of them may go" if count else NOTHING


def _group(path: Path, group: Sequence[Leftover], known: Mapping[Path, TopicNames | None]) -> Iterator[str]:
    first = group[0]
    more = f" and {plural(len(group) - 1, 'other file')} like it" if len(group) > 1 else ""
    yield f"{first.path.relative_to(path)}{more}: {size_text(sum(each.size for each in group))}"
    names = known[first.path.parent if first.path.is_dir() else first.path.parent.parent]
    yield f"  {first.action}"
    if first.topic_id:
        yield f"  topic id {first.topic_id}: {_topic(first.topic_id, names)}"
    yield f"  may it go? {_may_go(first, names)}"


def _topic(number: str, known: TopicNames | None) -> str:
    if known is None:
        return "there is no metadata log here that would know it; ask `kafka-topics.sh --describe`"
    if number in known.names:
        return f"the topic {known.names[number]} has it"
    if number in known.removed:
        return f"the topic {known.removed[number] or 'that had it'} was removed"
    return "no topic in the metadata log has it"


def _may_go(each: Leftover, known: TopicNames | None) -> str:
    if each.action is not LeftoverAction.KEPT:
        return _ADVICE.get(each.action, "yes, while the broker is stopped")
    if known is None or not each.topic_id:
        return "yes, once the partition is known to be whole on its other replicas"
    if each.topic_id in known.names:
        return "only if the partition is whole on its other replicas: the topic is still there"
    return "yes, while the broker is stopped: its topic is gone"
