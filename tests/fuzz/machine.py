"""Puts all vectors and many mutated inputs to the layout machine, beside compiled Python.

`make sanitize` runs it under the sanitizers of addresses and of undefined behaviour, in 20 shards
whose seeds are 0 to 19: each puts its share of the vectors, and 50,000 inputs. `python -m
tests.fuzz.machine --inputs 100000 --seed 1` runs it without them. Both engines must take the
same inputs and make the same of them, types included; what is taken of the protocol is written
again. Under the sanitizers, the byte right behind an input is poisoned while the machine reads it,
so that not even that one is read. What differs is printed, and the exit status is 1 then.
"""

from __future__ import annotations

import argparse
import ctypes
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
from kafka_conformance.vectors import protocol as protocol_vectors
from kafka_format import columnar, structure
from kafka_format.codec.compiler import version
from kafka_format.codec.interpreter import encode as interpreted
from kafka_format.codec.readings import DOUBT, REFUSED, engine, load_machine
from kafka_format.errors import EncodeError, FormatError
from kafka_format.records import decode, quick
from kafka_format.records.budget import Budget
from kafka_format.spec.data import path

from tests.fuzz.message_mutator import MessageMutator
from tests.fuzz.mutator import Mutator
from tests.fuzz.seeds import seeds

LIMIT: Final = 1 << 24
MOST: Final = 1 << 16
_LONGEST: Final = 3000
_BEHIND_HEADER: Final = bytes.__basicsize__ - 1
_COLUMNS: Final = 10
"""One in so many batches is read as columns too, and by the interpreter."""

_poison: Any = getattr(ctypes.CDLL(None), "__asan_poison_memory_region", None)
_unpoison: Any = getattr(ctypes.CDLL(None), "__asan_unpoison_memory_region", None)

Case = tuple[str, int, bytes]
"""A layout, its version, and bytes."""


@contextmanager
def exactly(data: bytes) -> Iterator[None]:
    """Poison the byte that CPython puts behind those of an object, if the sanitizer is there."""
    place = ctypes.c_void_p(id(data) + _BEHIND_HEADER + len(data))
    if _poison is not None and data:
        _poison(place, ctypes.c_size_t(1))
    try:
        yield
    finally:
        if _unpoison is not None and data:
            _unpoison(place, ctypes.c_size_t(1))


def types(value: Any) -> Any:
    """Return the types of a value and of all in it."""
    return (type(value), *map(types, value)) if isinstance(value, list | tuple) else type(value)


def said(call: Callable[[], Any], doubts: tuple[type[Exception], ...]) -> Any:
    """Return a value as text, with its types, or None for a doubt."""
    try:
        value = call()
    except doubts:
        return None
    return repr(value), types(value)


def check_message(case: Case) -> str:
    """Read a message by both engines, and write it again; return what differs, or became of it."""
    name, number, given = case
    data = bytes(bytearray(given))
    compiled = version(name, number)
    python, program = compiled.python, compiled.program
    with exactly(data):
        found = said(lambda: program.read(data, 0), DOUBT)
    if found != said(lambda: python.read(data, 0, len(data), LIMIT), DOUBT):
        return f"differs: {name} {number} {data.hex()}"
    if found is None:
        return "messages doubted"
    value = program.read(data, 0)[0]
    # Compiled Python leaves texts of 16 KiB and more to the interpreting writer.
    expected = said(lambda: python.write(value), REFUSED) or said(
        lambda: interpreted(compiled.layout, value), (EncodeError,)
    )
    if said(lambda: program.write(value), REFUSED) != expected:
        return f"is written otherwise: {name} {number} {data.hex()}"
    return "messages taken"


def check_batches(given: bytes, *, is_thorough: bool) -> str:
    """Read batches by both engines, as records and as structures, some as columns too."""
    data = bytes(bytearray(given))
    batch = structure("record_batch")
    with exactly(data):
        value = said(lambda: batch.program.read_within(data, 0, len(data), LIMIT), DOUBT)
        records = quick.MACHINE.decode(data, 0, len(data), LIMIT, MOST)
    if value != said(lambda: batch.python.read(data, 0, len(data), LIMIT), DOUBT):
        return f"differs: {data.hex()}"
    with engine("python"):
        known = quick.decode(data, 0, len(data), Budget(LIMIT, MOST), read_control=False)[0]
    if repr(records[0]) != repr(known[: len(records[0])]):
        return f"records differ: {data.hex()}"
    if is_thorough and (difference := check_columns(data)):
        return difference
    return "batches taken" if records[1] == len(data) and data else "batches doubted"


def check_columns(data: bytes) -> str:
    """Read the records of a run by every way; return what differs."""
    outcomes = []
    for name in ("machine", "python", "interpreter"):
        with engine(name):
            outcomes.append(_told(lambda: decode(data, limit=LIMIT)))
            outcomes.append(_told(lambda: columnar.decode(data, limit=LIMIT).records()))
    starts, ends = np.zeros(1, np.int64), np.full(1, len(data), np.int64)
    places, found = (8, 16, 17, 21, 12, 14, 1), [np.zeros(len(data) // 26 + 1, np.int64) for _ in range(3)]
    with exactly(data):
        load_machine().find_entries(data, starts, ends, places, *found)
        load_machine().find_batches(data, len(data), places, 2, found[0])
    return "" if all(outcome == outcomes[0] for outcome in outcomes) else f"columns differ: {data.hex()}"


def _told(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except FormatError as error:
        return error.facts(), str(error)


def messages(share: int, seed: int) -> list[Case]:
    """Return the vectors of one in `share` files of the protocol, in all their versions.

    The seed says which files.
    """
    folder = path("vectors") / "protocol"
    families = sorted(entry.name.split(".")[0] for entry in folder.iterdir() if entry.name.endswith(".gz"))
    vectors = protocol_vectors.load(families=families[seed % share :: share])
    return [(one.layout, number, one.data) for one in vectors if not one.is_framed for number in one.versions]


def cases(inputs: int, seed: int, share: int, *, with_messages: bool) -> Iterator[str]:
    """Check one in `share` of the vectors, then mutated inputs; yield what was found of each."""
    batches, bodies = seeds(("v2",)), messages(share, seed) if with_messages else []
    chance = random.Random(seed)  # noqa: S311 - chance, not secrets
    for data in batches[seed % share :: share]:
        yield check_batches(data, is_thorough=not chance.randrange(_COLUMNS))
    yield from map(check_message, bodies)
    short = [case for case in bodies if len(case[2]) < _LONGEST]
    mutator = Mutator([data for data in batches if len(data) < _LONGEST], seed)
    message_mutator = MessageMutator(seed)
    for index in range(inputs):
        if index % 2 or not short:
            yield check_batches(mutator.next(), is_thorough=not chance.randrange(_COLUMNS))
        else:
            name, number, data = chance.choice(short)
            yield check_message((name, number, message_mutator.message([data])))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; return 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=int, default=1, help="put one in so many vectors; the seed says which")
    parser.add_argument("--batches-only", action="store_true", help="leave out the protocol")
    asked = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    for word in cases(asked.inputs, asked.seed, asked.share, with_messages=not asked.batches_only):
        counts[word] += 1
    differences = [word for word in counts if "differ" in word or "otherwise" in word]
    print(f"{'under sanitizers' if _poison else 'without sanitizers'}: {dict(counts - Counter(differences))}")
    print(*differences[:20], sep="\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
