"""What may have been done to values: the ways that are known, and those that the values show.

A way is a function of the right value. Some have a number that is found in what came: where a text
is cut off, by how much a number is moved.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from kafka_format.protocol.json_form import UNKNOWN

from kafka_conformance.kinds.message.value_changes import Value
from kafka_conformance.kinds.message.value_ways import NULLS, WAYS, Change

_MOST_MOVED: Final = 1 << 32
_THOUSAND: Final = 1000
_OF_DIGITS: Final = ("in-seconds", "divided-by-1000")
_LONGEST: Final = 40
"""Characters of a value that are shown."""

_OF_LAYOUTS: Final = ("hex",)
"""What a layout that has another type for a field says better."""

_QUOTES: Final = ("'", '"', "`")


class Way(NamedTuple):
    """Something that is done to values.

    Attributes:
        id: stable name, behind that of the type.
        does: what is done, as a sentence without its subject; `{}` is the values.
        change: what is given for a value.
        is_sure: False if it says only what came for what: a layout may explain more.
    """

    id: str
    does: str
    change: Callable[[Value], Any]
    is_sure: bool = True


def ways(sort: str, changed: Sequence[Value]) -> Iterator[Way]:
    """Yield what may have been done to values of a type, the plainest first.

    Args:
        sort: the type, `number` for all that are numbers, with `null-` in front if null came wrong.
        changed: values that came otherwise than they should.
    """
    known = NULLS if sort.startswith("null-") else WAYS.get(_family(sort), ())
    is_small = all(_is_number(value.right) and abs(int(value.right)) < _THOUSAND for value in changed)
    for name, does, change in known:
        if is_small and name.startswith(_OF_DIGITS):
            continue  # nothing tells what becomes of the digits
        yield Way(name, does, _on_values(sort, change), name not in _OF_LAYOUTS)
    if _family(sort) == "number" and not sort.startswith("null-"):
        yield from _of_numbers(sort, changed)
    elif sort in {"text", "bytes"}:
        yield from _of_contents(sort, changed)
    elif sort == "array":
        yield from _of_arrays(changed)
    yield from _copies(changed)
    yield from _constants(changed)


def deep(change: Change, value: Any) -> Any:
    """Return a value with all arrays in it changed, the innermost first."""
    if isinstance(value, dict):
        return {name: inner if name == UNKNOWN else deep(change, inner) for name, inner in value.items()}
    return change([deep(change, item) for item in value]) if isinstance(value, list) else value


def _family(sort: str) -> str:
    return "number" if sort.startswith(("int", "uint", "number")) else sort


def _on_values(sort: str, change: Change) -> Callable[[Value], Any]:
    if sort == "array":
        return lambda value: deep(change, value.right)
    if _family(sort) != "number":
        return lambda value: change(value.right)
    return lambda value: _like(value.right, change(int(value.right)))


def _like(right: Any, number: Any) -> Any:
    return str(number) if isinstance(right, str) and isinstance(number, int) else number


def _of_numbers(sort: str, changed: Sequence[Value]) -> Iterator[Way]:
    """Yield a number that is added, and limits, if what came shows some."""
    if any(not _is_number(value.got) for value in changed):
        return
    pairs = [(int(value.right), int(value.got)) for value in changed]
    ((by, times),) = Counter(got - right for right, got in pairs).most_common(1) or [(0, 0)]
    if 2 * times > len(pairs) and 0 < abs(by) < _MOST_MOVED:  # a few may have left the type's range
        yield Way(f"moved-by-{by}", f"adds {by} to {{}}", _on_values(sort, lambda number: number + by))
        yield Way(f"moved-by-{by}", f"adds {by} to {{}}", _on_values(sort, lambda number: _wrapped(number + by, sort)))
        for least, words in ((0, "0 and more"), (1, "more than 0")):
            does = f"adds {by} to {{}} that are {words}"
            yield Way(f"moved-by-{by}-from-{least}", does, _on_values(sort, _moved_from(least, by)))
    tops, floors = {got for right, got in pairs if got < right}, {got for right, got in pairs if got > right}
    if len(tops) <= 1 and len(floors) <= 1 and tops != floors:  # one number for all is no limit
        top, floor = min(tops, default=1 << 64), max(floors, default=-1 << 64)
        limits = " and ".join([*(f"{top} at most" for _ in tops), *(f"{floor} at least" for _ in floors)])
        name = "-and-".join(str(each) for each in (*floors, *tops))
        yield Way(
            f"limited-to-{_power(name)}",
            f"gives {{}} as {limits}",
            _on_values(sort, lambda number: min(max(number, floor), top)),
            len({right for right, _ in pairs}) > 1,
        )


def _wrapped(number: int, sort: str) -> int:
    """Return a number as a type holds it that has signs, if it is one."""
    if not sort.startswith("int"):
        return number
    half = 1 << int(sort.removeprefix("int")) - 1
    return (number + half) % (2 * half) - half


def _moved_from(least: int, by: int) -> Change:
    return lambda number: number + by if number >= least else number


def _power(name: str) -> str:
    """Write powers of two as people do."""
    for bits in (7, 8, 15, 16, 31, 32, 53, 63):
        name = name.replace(str((1 << bits) - 1), f"{bits}-bits")
    return name


def _is_number(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, str) and value.lstrip("-").isdigit()
    )


def _of_contents(sort: str, changed: Sequence[Value]) -> Iterator[Way]:
    """Yield where texts or bytes are cut off, and what is put in front or behind, by what came."""
    if any(not isinstance(value.right, str) or not isinstance(value.got, str) for value in changed):
        return
    pairs = [(value.right, value.got) for value in changed]
    width = 2 if sort == "bytes" else 1
    sizes = {len(got) for _, got in pairs}
    if all(right.startswith(got) for right, got in pairs):
        if len(sizes) == 1 and (size := sizes.pop()):
            yield Way(f"cut-{size // width}", f"cuts {{}} off behind {size // width}", lambda value: value.right[:size])
        most = max(len(got.encode()) for _, got in pairs)
        if sort == "text" and most:
            does = f"cuts {{}} off behind {most} bytes"
            yield Way(f"cut-{most}", does, lambda value: value.right.encode()[:most].decode(errors="ignore"))
    around = {tuple(got.split(right, 1)) if right in got else () for right, got in pairs if right}
    if len(around) == 1 and (found := around.pop()):
        front, behind = found
        name = "quoted" if front == behind and front in _QUOTES else "with-prefix" if front else "with-suffix"
        words = [*([f"{show(front)} in front of"] * bool(front)), *([f"{show(behind)} behind"] * bool(behind))]
        yield Way(name, f"puts {' and '.join(words)} {{}}", lambda value: f"{front}{value.right}{behind}")


def _of_arrays(changed: Sequence[Value]) -> Iterator[Way]:
    """Yield how many items are given at most, by what came."""
    if all(isinstance(value.got, list) and isinstance(value.right, list) for value in changed):
        most = max((len(value.got) for value in changed), default=0)
        if most == 1:
            yield Way("only-first-item", "gives only the first item of {}", _on_values("array", lambda i: i[:1]))
        elif most:
            does = f"gives no more than {most} items of {{}}"
            yield Way(f"only-first-{most}-items", does, _on_values("array", lambda items: items[:most]))


def _copies(changed: Sequence[Value]) -> Iterator[Way]:
    """Yield fields beside them whose values came instead."""
    if len({value.place for value in changed}) != 1 or not isinstance(changed[0].owner, dict):
        return
    for name in changed[0].owner:
        if all(value.owner.get(name) == value.got for value in changed):
            yield Way(f"copy-of-{name}", f"gives the value of `{name}` for {{}}", _copy_of(name))


def _copy_of(name: str) -> Callable[[Value], Any]:
    return lambda value: value.owner.get(name, value.right)


def _constants(changed: Sequence[Value]) -> Iterator[Way]:
    """Yield one value that came for all, or for one other value."""
    came = _distinct(value.got for value in changed)
    if len(came) != 1:
        return
    (got,) = came
    right = _distinct(value.right for value in changed)
    is_sure = len(right) > 1 or right == [None]
    yield Way(f"always-{show(got)}", f"gives {show(got)} for all {{}}", lambda _: got, is_sure)
    if len(right) == 1:
        (due,) = right
        is_default = all(value.is_default for value in changed)
        name = "other-default" if is_default else "one-value"
        where = "not there, in place of their default" if is_default else "that are"
        does = f"gives {show(got)} for {{}} {where} {show(due)}"
        yield Way(name, does, lambda value: got if value.right == due else value.right, is_sure=False)


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list({repr(value): value for value in values}.values())


def show(value: Any) -> str:
    """Return a value as a short text."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
