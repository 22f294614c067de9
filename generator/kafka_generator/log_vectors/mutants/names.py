"""Names of files and folders."""

from __future__ import annotations

from collections.abc import Callable

from kafka_format.log import names
from kafka_format.log.names import DIGITS
from kafka_format.log.partition import PartitionLog
from kafka_format.primitives.integers import INT64_MAX

from kafka_generator.mutants.mutant import LOG, family
from kafka_generator.mutants.patch import Patch

mutant = family(LOG, "names")

_ANY_WIDTH = frozenset({"log-name-of-any-width"})


def _any_width(patch: Patch, when: Callable[[str], bool]) -> None:
    """Let names be read whose numbers `when` is true of, as if the flag allowed them."""
    patch.wrap(
        names._offset,
        lambda right, number, name, flags: right(number, name, flags | _ANY_WIDTH if when(number) else flags),
    )


@mutant("names/sign")
def sign(patch: Patch) -> None:
    """Reads a sign among the 20 characters of an offset in a name."""
    _any_width(patch, lambda number: len(number) == DIGITS)


@mutant("names/any-width")
def any_width(patch: Patch) -> None:
    """Reads names with fewer or more than 20 digits."""
    _any_width(patch, str.isdigit)


@mutant("names/too-large")
def too_large(patch: Patch) -> None:
    """Reads offsets in names that are larger than an int64."""
    patch.wrap(
        names._offset,
        lambda right, number, name, flags: (
            int(number) if number.isdigit() and int(number) > INT64_MAX else right(number, name, flags)
        ),
    )


@mutant("names/first-hyphen")
def first_hyphen(patch: Patch) -> None:
    """Takes the name of a folder up to its first hyphen for the topic."""
    patch.result(names.parse_partition, lambda name: name._replace(topic=name.topic.split("-")[0]))


@mutant("partition/reads-any-width")
def reads_any_width(patch: Patch) -> None:
    """Reads a segment whose name has other than 20 digits, where a broker makes an empty one."""
    patch.wrap(
        PartitionLog.__init__,
        lambda right, self, path, *, padded=False, any_width=True: right(
            self, path, padded=padded, any_width=any_width or True
        ),
    )
