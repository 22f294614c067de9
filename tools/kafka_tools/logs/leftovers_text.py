"""Leftovers of a data directory, as lines: what each is, what a start does, if it may go."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from kafka_format.log.leftovers import Leftover, LeftoverAction, in_directory, in_partition
from kafka_format.log.topic_names import TopicNames, topics

from kafka_tools.logs import log_paths
from kafka_tools.text import plural

_ADVICE = {
    LeftoverAction.SWAPPED: "no: it holds the records now, start the broker and it is done",
    LeftoverAction.MOVED_ON: "no, unless the move is given up: start the broker and it goes on",
}


def leftovers(path: Path) -> list[Leftover]:
    """Return the leftovers of a partition or a data directory.

    Raises:
        UsageError: the path is neither.
    """
    return list(in_partition(path) if log_paths.partitions(path) == [path] else in_directory(path))


def lines(path: Path, files: Iterable[Leftover]) -> Iterator[str]:
    """Yield lines about the leftovers below a path; names are relative to it."""
    known = topics(path if path.is_dir() else path.parent) or topics(path.parent)
    count = removable = 0
    for each in files:
        count, removable = count + 1, removable + each.may_go
        yield f"{each.path.relative_to(path)}: {plural(each.size, 'byte')}"
        yield f"  {each.action}"
        if each.topic_id:
            yield f"  topic id {each.topic_id}: {_topic(each.topic_id, known)}"
        yield f"  may it go? {_may_go(each, known)}"
    yield f"{plural(count, 'leftover')}, {removable} of them may go" if count else "nothing is left over"


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
