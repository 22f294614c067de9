"""Numbers, ranges and times that options take."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from math import isnan
from typing import ClassVar

import click
from kafka_format.log.special_times import SpecialTime
from kafka_format.primitives.integers import INT64_MAX


class Whole(click.IntRange):
    """An IntRange that error messages call a whole number."""

    name = "whole number"


class LogTime(click.ParamType[int]):
    """A time of a log, in milliseconds since 1970, or one of the negative ones of ListOffsets.

    It may be given as a number, in ISO 8601, or by its name.
    """

    name = "time"
    _NAMES: ClassVar = {time.name.lower().replace("_", "-"): int(time) for time in SpecialTime}

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the milliseconds."""
        text = str(value).strip()
        if text.lower() in self._NAMES:
            return self._NAMES[text.lower()]
        with suppress(ValueError):
            number = int(text)
            if min(SpecialTime) <= number <= INT64_MAX:
                return number
        with suppress(ValueError, OverflowError):
            moment = datetime.fromisoformat(text)
            since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime.fromtimestamp(0, UTC)
            if since >= timedelta(0):
                return since // timedelta(milliseconds=1)
        names = ", ".join(self._NAMES)
        return self.fail(f"{value} is no time: milliseconds since 1970, 2023-11-14T22:13:20Z, or {names}.", param, ctx)


class Range(click.ParamType[tuple[int, int]]):
    """A number, or two with a stroke between them: `4711-4720`. Both belong to the range."""

    name = "range"

    def convert(
        self, value: str | tuple[int, int], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return the first and the last number."""
        if isinstance(value, tuple):
            return value
        first, _, last = value.partition("-")
        with suppress(ValueError):
            found = int(first), int(last or first)
            if 0 <= found[0] <= found[1]:
                return found
        return self.fail(f"{value} is no range, such as 4711-4720.", param, ctx)


class Seconds(click.FloatRange):
    """A number of seconds, small enough for any wait."""

    def __init__(self, *, min_open: bool = False) -> None:
        """From 0 seconds to a million; `min_open` leaves out 0."""
        super().__init__(0, 1_000_000, min_open=min_open)

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Reject NaN too, which passes every check of a range."""
        seconds = float(super().convert(value, param, ctx))
        if isnan(seconds):
            self.fail(f"{value} is not a number.", param, ctx)
        return seconds
