"""The wrong codec that a target behaves like, in all messages or in a field of one.

A wrong codec stands for the target: it reads each vector, and gives its values or writes it again.
Who gives the same wrong answers, and is right where the target is, most likely does the same.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from kafka_format.errors import EncodeError
from kafka_format.protocol.json_form import EXACT

from kafka_conformance.kinds.message import judge as messages
from kafka_conformance.kinds.message.named_fields import NamedFields, fields_at, last_names, most_named, sorts_of
from kafka_conformance.kinds.message.wrong_answers import (
    ABOUT_UNKNOWN,
    REFUSED,
    Manner,
    Probe,
    header_of,
    layout_of,
    leave_out_unknown,
    right_value,
    special,
)
from kafka_conformance.kinds.message.wrong_codecs import OF_ITEMS, WRONG_CODECS, WrongCodec
from kafka_conformance.kinds.message.wrong_codecs.plain import UNREADABLE, PlainCodec
from kafka_conformance.kinds.message.wrong_codecs.tables import ANYWHERE
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Verdict

_SAME: Final = 0.8
"""What a wrong codec foresees rightly, of all that it foresees, if it is believed."""

_LOOKED_AT: Final = 150
"""So many failures, and so many vectors that pass, choose the codec."""

_FEWEST: Final = 2
"""So many failures show a wrong codec; a single one may be anything."""

_MESSAGES: Final = 12
"""In so many messages a wrong codec of one field is looked for."""

_TELLING: Final = 6
"""So many failures are tried before more are; one in three of them a codec has to foresee."""

_TRIES: Final = 8_000
"""After so many codecs in fields no other message is looked at: who has many messages wrong has
other faults, and each takes a millisecond."""

_FEW: Final = 3
"""So many failures of a message say in which fields something is wrong."""

_OF_EACH: Final = 8
"""So many of each sort of vectors that pass are looked at besides."""

_CLIENT: Final = "client_id"
"""The one string in headers."""

_WHOLE: Final = 40
"""Of so many answers that a codec explains is the whole looked at."""

_NAMES: Final = 6
"""So many names of fields are tried in all messages, those that most messages have."""

_ANSWERED: Final = (Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID)

_RIGHT: Final = WrongCodec("right", "", {})

CODEC_WORDS: Final = {codec.id: codec.does for codec in (*WRONG_CODECS, *OF_ITEMS)}

_COUNT: Final = re.compile(r"\d+ items")
"""What an answer has that differs by the number of items."""

Said = tuple[str, str] | None
_Given = bytes | dict[str, Any] | None
"""The bytes that a codec writes again, or the values that it gives; None if it refuses."""


class Miscoding(NamedTuple):
    """A wrong codec that a target behaves like.

    Attributes:
        codec: the codec.
        field: the field that it has wrong, with its message; empty for all.
        vectors: ids of the vectors that it explains.
        others: ids of codecs that do the same to these.
        missed: how many vectors it foresees otherwise than they came.
        partial: how many of those looked at differ in more than where they first differ.
        either: what else it may be, in words; empty if nothing.
    """

    codec: WrongCodec
    field: str
    vectors: frozenset[str]
    others: tuple[str, ...]
    missed: int = 0
    partial: int = 0
    either: str = ""

    @property
    def id(self) -> str:
        """Stable name of the cause."""
        return f"{self.codec.id}/{self.field.replace(' ', '-')}" if self.field else self.codec.id

    @property
    def does(self) -> str:
        """What the target does; of who writes what it has read, bytes do not say which is wrong."""
        kind, _, name = self.codec.id.partition("/")
        other = f"{'reads' if kind == 'writes' else 'writes'}/{name}"
        either = f", or {other.partition('/')[0]} it so" if other in self.others else ""
        words = (CODEC_WORDS[each] for each in self.others if each.partition("/")[2] != name)
        alike = next((each for each in words if each != self.codec.does), "")
        where = f", in {self.field}" if self.field else ""
        return f"{self.codec.does}{either}{where}{f'; or it {alike or self.either}' if alike or self.either else ''}"


def miscodings(asked: Iterable[Probe], target: Manner) -> Iterator[Miscoding]:
    """Yield the wrong codecs of all messages that a target behaves like, the likest first."""
    every_probe = list(asked)
    kept = [each for each in every_probe if _is_looked_at(each)]
    if target.form == "verdict" or not _is_any_answered(kept):
        return
    every = _codecs(target, OF_ITEMS)
    left = [each for each in kept if each.fails]
    is_one = len({_message(each) for each in left}) == 1 < len({_message(each) for each in kept})
    is_refused = all(each.result.outcome is Outcome.REFUSED_VALID for each in left)  # which tells little
    kinds = {each.vector.format for each in (kept if is_one or is_refused else left)}
    passed = _passed([each for each in kept if each.vector.format in kinds])
    of_client = [(codec, _CLIENT) for codec in every if "text" in sorts_of(codec)] if "request" in kinds else []
    while len(left) >= _FEWEST and (
        found := _best_of([*((codec, "") for codec in every), *of_client], left, passed, target)
    ):
        if found.field:
            yield _with_lenient(found, _CLIENT, every_probe, target)._replace(
                field=f"`{_CLIENT}` of the header of requests"
            )
            left = [each for each in left if each.vector.id not in found.vectors]
            of_client = []
            continue
        if is_one and found.missed:
            return  # others pass where it foresees otherwise: the layout of the one, or a field, says more
        yield _with_lenient(found, "", every_probe, target)
        every = [codec for codec in every if codec.id != found.codec.id]
        left = [each for each in left if each.vector.id not in found.vectors]


def _message(asked: Probe) -> tuple[str, str]:
    return asked.vector.family, asked.vector.format


def _passed(kept: Sequence[Probe]) -> list[Probe]:
    """Return some vectors that pass, and some that are about the same as those that fail."""
    right = [each for each in kept if not each.fails]
    about = {special(each.vector) for each in kept if each.fails}
    by_special: dict[str, list[Probe]] = defaultdict(list)
    for each in right:
        by_special[special(each.vector)].append(each)
    some = [
        *_spread(right, _LOOKED_AT),
        *(each for those in by_special.values() for each in _spread(those, _OF_EACH)),
        *_spread([each for each in right if special(each.vector) in about], _LOOKED_AT),
    ]
    return list({each.vector.id: each for each in some}.values())


def _codecs(target: Manner, more: Sequence[WrongCodec] = ()) -> list[WrongCodec]:
    return [codec for codec in (*WRONG_CODECS, *more) if target.form == "bytes" or not codec.writes]


def _with_lenient(found: Miscoding, field: str, asked: Iterable[Probe], target: Manner) -> Miscoding:
    """Add other failures, where such a codec answers otherwise than a right one."""
    with_header = field == _CLIENT
    wrong = _Coder(found.codec, field, target, with_header=with_header)
    right = _Coder(_RIGHT, "", target, with_header=with_header)
    about = (each for each in asked if each.fails and not _is_looked_at(each))
    also = {each.vector.id for each in about if _is_unlike(each, wrong.given(each), right.given(each))}
    return found._replace(vectors=found.vectors | also)


def _is_unlike(asked: Probe, wrong: _Given, right: _Given) -> bool:
    if asked.vector.verdict is Verdict.INVALID:
        return wrong not in (None, right) and asked.result.outcome is Outcome.ACCEPTED_INVALID
    return wrong != right


def _is_looked_at(asked: Probe) -> bool:
    vector = asked.vector
    is_plain = vector.verdict is Verdict.VALID and vector.canonical and asked.result.outcome in _ANSWERED
    return is_plain and (asked.fails or special(vector) not in ABOUT_UNKNOWN)  # who leaves all out passes


def _is_any_answered(asked: Iterable[Probe]) -> bool:
    """Tell whether any valid vector was answered: who refuses all of them shows no habit."""
    return any(_is_looked_at(each) and each.result.outcome is not Outcome.REFUSED_VALID for each in asked)


def _spread(every: Sequence[Probe], most: int) -> list[Probe]:
    """Return so many at most, evenly over all."""
    return list(every[:: max(1, -(-len(every) // most))])


def miscodings_in_fields(asked: Iterable[Probe], target: Manner) -> Iterator[Miscoding]:
    """Yield the wrong codecs of single fields, message by message."""
    every_probe = list(asked)
    kept = [each for each in every_probe if _is_looked_at(each)]
    if target.form != "verdict" and _is_any_answered(kept):
        yield from _in_fields(_codecs(target), [each for each in kept if each.fails], every_probe, target)


def miscoding_of_message(asked: Sequence[Probe], target: Manner) -> Miscoding | None:
    """Return the wrong codec of all fields of one message; None if there is none.

    Of refusals alone, many codecs say the same as a layout.
    """
    kept = [each for each in asked if _is_looked_at(each)]
    wrong = [each for each in kept if each.fails]
    is_told = any(each.result.outcome is Outcome.WRONG_ANSWER for each in wrong)
    if target.form == "verdict" or len(wrong) < _FEWEST or not is_told:
        return None
    passed = _spread([each for each in kept if not each.fails], _LOOKED_AT)
    found = _best(_codecs(target), "", wrong, passed, target)
    family, kind = _message(wrong[0])
    return None if found is None else _with_lenient(found, "", asked, target)._replace(field=f"the {kind} of {family}")


def miscodings_by_name(asked: Iterable[Probe], target: Manner) -> Iterator[Miscoding]:
    """Yield the wrong codecs of fields of one name, in several messages."""
    every_probe = list(asked)
    kept = [each for each in every_probe if _is_looked_at(each)]
    if target.form == "verdict" or not _is_any_answered(kept):
        return
    every, fields = _codecs(target), NamedFields(kept)
    left = [each for each in kept if each.fails]
    while len({_message(each) for each in left}) > 1 and (pair := _named(every, fields, left, kept, target)):
        name, found = pair
        messages_of = {(each.vector.family, each.vector.format) for each in left if each.vector.id in found.vectors}
        where = (
            f"`{name}`"
            if len(messages_of) == len(fields.messages(name))
            else f"`{name}` of {len(messages_of)} messages"
        )
        about = [each for each in every_probe if (each.vector.family, each.vector.format) in messages_of]
        yield _with_lenient(found, f"{ANYWHERE}{name}", about, target)._replace(field=where)
        left = [each for each in left if each.vector.id not in found.vectors]


def _named(
    every: Sequence[WrongCodec], fields: NamedFields, left: Sequence[Probe], kept: Sequence[Probe], target: Manner
) -> tuple[str, Miscoding] | None:
    """Return the name of fields, and the codec, that explain most.

    None if none shows in two messages.
    """
    by_message: dict[tuple[str, str], list[Probe]] = defaultdict(list)
    for each in left:
        by_message[_message(each)].append(each)
    best: tuple[str, Miscoding] | None = None
    for name in most_named([last_names(_spread(some, _FEW), target) for some in by_message.values()], _NAMES):
        wrong = [each for each in left if fields.has(each, name)]
        passed = [each for each in kept if not each.fails and fields.has(each, name)]
        tried = [(codec, f"{ANYWHERE}{name}") for codec in every if sorts_of(codec) & fields.sorts(name)]
        found = _best_of(tried, wrong, _spread(passed, _LOOKED_AT), target)
        about = {_message(each) for each in wrong if found is not None and each.vector.id in found.vectors}
        if found is None or len(about) < _FEWEST:
            continue
        if best is None or len(found.vectors) > len(best[1].vectors):
            best = name, found
        if len(found.vectors) >= _SAME * len(left):
            break
    return best


def _in_fields(
    every: Sequence[WrongCodec], left: list[Probe], asked: list[Probe], target: Manner
) -> Iterator[Miscoding]:
    by_message: dict[tuple[str, str], list[Probe]] = defaultdict(list)
    for each in left:
        by_message[_message(each)].append(each)
    if len(by_message) > _MESSAGES:
        return
    left_to_try = _TRIES
    for (family, kind), failing in sorted(by_message.items(), key=lambda item: -len(item[1])):
        wrong, about = failing, [each for each in asked if _message(each) == (family, kind)]
        if not _is_any_answered(about):
            continue
        passed = [each for each in about if not each.fails and _is_looked_at(each)]
        fields = sorted(set[str]().union(*(fields_at(each, target) for each in _spread(wrong, _FEW))))
        names = sorted({f"{ANYWHERE}{field.rpartition('.')[2]}" for field in fields})
        tried = [(codec, field) for codec in every for field in [*fields, "", *names]]
        while len(wrong) >= _FEWEST and left_to_try > 0:
            left_to_try -= len(tried)
            found = _best_of(tried, wrong, passed, target)
            if found is None:
                break
            where = (
                f"`{found.field.removeprefix(ANYWHERE)}` of the {kind} of {family}"
                if found.field
                else f"the {kind} of {family}"
            )
            yield _with_lenient(found, found.field, about, target)._replace(field=where)
            wrong = [each for each in wrong if each.vector.id not in found.vectors]


def _best(
    every: Sequence[WrongCodec], field: str, left: Sequence[Probe], passed: Sequence[Probe], target: Manner
) -> Miscoding | None:
    return _best_of([(codec, field) for codec in every], left, passed, target)


class _Tried(NamedTuple):
    codec: WrongCodec
    field: str
    with_header: bool
    target: Manner
    exact: frozenset[str]
    missed: int

    @property
    def gain(self) -> int:
        return len(self.exact) - self.missed


def _best_of(
    tried: Iterable[tuple[WrongCodec, str]], wrong: Sequence[Probe], passed: Sequence[Probe], target: Manner
) -> Miscoding | None:
    """Return the codec that explains most; None if none is believed."""
    looked_at = _spread(wrong, _LOOKED_AT)
    fit = [one for codec, field in tried if (one := _try(codec, field, looked_at, passed, target)) is not None]
    most = max((one.gain for one in fit), default=0)
    alike = [(one, _partial(one, looked_at)) for one in fit if one.gain == most]
    best, partial = min(alike, key=lambda pair: pair[1], default=(None, 0))
    if best is None:
        return None
    others = tuple(dict.fromkeys(one.codec.id for one in fit if one is not best and one.exact == best.exact))
    coder = _Coder(best.codec, best.field, best.target, with_header=best.with_header)
    explained = frozenset(each.vector.id for each in wrong if coder.said(each) is not None)
    others = tuple(name for name in others if name != best.codec.id)
    return Miscoding(best.codec, best.field, explained, others, best.missed, partial)


def _partial(tried: _Tried, wrong: Sequence[Probe]) -> int:
    """Count the answers that a codec explains where they first differ, and not in all."""
    coder = _Coder(tried.codec, tried.field, tried.target, with_header=tried.with_header)
    explained = _spread([each for each in wrong if each.vector.id in tried.exact], _WHOLE)
    return sum(not coder.gives_all(each) for each in explained)


def _try(
    codec: WrongCodec, field: str, wrong: Sequence[Probe], passed: Sequence[Probe], target: Manner
) -> _Tried | None:
    """Return what a codec explains; None if it is not the target."""
    best: _Tried | None = None
    headers = (True,) if field == _CLIENT else (False,) if field else (False, True)
    for with_header, way in product(headers, target.ways()):
        coder = _Coder(codec, field, way, with_header=with_header)
        if not _is_likely(coder, _spread(wrong, _TELLING)):
            continue
        exact = frozenset(each.vector.id for each in wrong if coder.answers_like(each))
        missed = sum(coder.said(each) is not None and each.vector.id not in exact for each in wrong)
        if len(exact) < _FEWEST or missed > (1 - _SAME) * (len(exact) + missed):
            continue
        foreseen = sum(coder.said(each) is not None for each in passed)
        if foreseen <= (1 - _SAME) * len(exact) and (best is None or len(exact) > len(best.exact)):
            best = _Tried(codec, field, with_header, way, exact, missed + foreseen)
    return best


def _is_likely(coder: _Coder, asked: Sequence[Probe]) -> bool:
    """Tell whether a codec foresees one in three, without asking for more than it takes."""
    misses = 0
    for each in asked:
        misses += not coder.answers_like(each)
        if 3 * misses > 2 * len(asked):
            return False
    return True


def _seen(asked: Probe) -> Said:
    """Return where the answer of the target differs, and what it is there."""
    result = asked.result
    return REFUSED if result.outcome is Outcome.REFUSED_VALID else (result.path, result.got)


class _Coder:
    """A wrong codec that answers as the target does."""

    def __init__(self, codec: WrongCodec, field: str, target: Manner, *, with_header: bool) -> None:
        self._make: Callable[[], PlainCodec] = lambda: codec.codec(field)
        self._codec = self._make()
        self._target, self._with_header = target, with_header

    def said(self, asked: Probe) -> Said:
        """Return where its answer differs, and what it is there; None if it is right."""
        given = self.given(asked)
        if given is None:
            return REFUSED
        if isinstance(given, bytes):
            data = asked.vector.data
            unlike = None if given == data else messages.difference_of_bytes(data, given)
        else:
            layout = layout_of(asked)
            unlike = messages.difference(layout, right_value(layout, asked), given, "")
        return None if unlike is None else (unlike.path, unlike.got)

    def answers_like(self, asked: Probe) -> bool:
        """Tell whether its answer differs as that of the target does.

        Where that is by how many items an array has, they must be the same items; and a value that
        is too long to be shown must be the same to its end.
        """
        return self.said(asked) == _seen(asked) and not self._is_otherwise(asked)

    def gives_all(self, asked: Probe) -> bool:
        """Tell whether its whole answer is that of the target, if that is kept."""
        content = asked.result.content
        given = self.given(asked)
        if given is None or not content:
            return True
        if isinstance(given, bytes):
            return given == content
        return messages.difference(layout_of(asked), given, json.loads(content).get("body"), "") is None

    def _is_otherwise(self, asked: Probe) -> bool:
        result = asked.result
        is_short = bool(_COUNT.fullmatch(result.got)) or len(result.got) >= messages.SHOWN
        if self._target.form == "bytes" or not result.content or not is_short:
            return False
        given, body = self.given(asked), json.loads(result.content).get("body")
        unlike = messages.difference(layout_of(asked), given, body, "") if isinstance(given, dict) else None
        return unlike is not None and unlike.path.startswith(result.path)

    def given(self, asked: Probe) -> _Given:
        """Return its answer."""
        try:
            return self._answer(asked)
        except (*UNREADABLE, EncodeError, RecursionError):
            self._codec.path.clear()
            return None

    def _answer(self, asked: Probe) -> _Given:
        data, body = asked.vector.data, asked.body
        head = data[:body]
        if self._with_header:
            header = header_of(asked)
            values, body = self._codec.read(header, data, 0)
            head = self._codec.write(header, values)
        layout = layout_of(asked)
        values, end = self._codec.read(layout, data, body)
        if end != len(data) and self._target.refuses_trailing:
            return None
        if self._target.form == "bytes":
            return head + self._codec.write(layout, values)
        shown: dict[str, Any] = json.loads(json.dumps(EXACT.write(layout, values)), object_hook=leave_out_unknown)
        return shown
