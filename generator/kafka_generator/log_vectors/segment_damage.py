"""Damaged segments: bytes cut, added, flipped and moved, as disks, crashes and people do."""

from __future__ import annotations

from collections.abc import Iterator

from kafka_format.log.text.checkpoints import CLEANER_FILE

from kafka_generator.log_vectors.case_logs import BASES, START, Files, batch
from kafka_generator.log_vectors.case_types import DirectoryCase
from kafka_generator.log_vectors.changes import (
    LAST,
    PLACES,
    add,
    batches_of,
    cut,
    each,
    exchange,
    flip,
    move,
    name,
    remove,
    rename,
    rewritten,
    with_epochs,
    write_file,
)
from kafka_generator.log_vectors.sound import changed_case


def cases() -> Iterator[DirectoryCase]:
    """Yield the cases."""
    yield from _contents()
    yield from _names()


def _contents() -> Iterator[DirectoryCase]:
    crc, tail = "v2.crc.covers-attributes-to-end", "log.segment.tail"
    last = LAST
    yield changed_case(
        "segment/last-batch-cut", "The last batch lacks 5 bytes.", cut(last, 5), tail, "log.offset-index.batch"
    )
    yield changed_case(
        "segment/middle-cut",
        "The last batch of an inner segment lacks 5 bytes.",
        cut(9, 5),
        tail,
        "log.offset-index.batch",
        "log.time-index.batch",
    )
    yield changed_case(
        "segment/middle-cut-and-never-compacted",
        "The last batch of an inner segment lacks 5 bytes, and the log was never compacted.",
        each(cut(9, 5), write_file(CLEANER_FILE, b"0\n0\n")),
        tail,
        "log.offset-index.batch",
        "log.time-index.batch",
    )
    for count in (1, 10, 17):
        yield changed_case(
            f"segment/zeros-behind-{count}",
            f"{count} zero bytes follow the last batch.",
            add(name(last), bytes(count)),
            tail,
        )
    for count in (18, 4096):
        yield changed_case(
            f"segment/zeros-behind-{count}",
            f"{count} zero bytes follow the last batch.",
            add(name(last), bytes(count)),
            "entry.size.minimum",
        )
    yield changed_case(
        "segment/ones-behind",
        "18 bytes of ones follow the last batch.",
        add(name(last), b"\xff" * 18),
        "entry.size.minimum",
    )
    for base in BASES:
        yield changed_case(
            f"segment/payload-bit-{base}", f"A bit of a record of segment {base} is flipped.", flip(base, 2), crc
        )
    at = PLACES["max_timestamp"]
    yield changed_case(
        "segment/header-bit",
        "A bit of the largest timestamp is flipped.",
        flip(9, 4, at + 7),
        crc,
    )
    yield changed_case("segment/first-batch-broken", "A bit of the first batch of all is flipped.", flip(0, 0), crc)

    def repeated(files: Files) -> None:
        add(name(last), batches_of(files, last)[-1].data)(files)

    yield changed_case("segment/last-batch-twice", "The last batch is there twice.", repeated, "log.segment.rising")
    below = rewritten(last, 0, base_offset=3)
    yield changed_case("segment/below-base", "The first batch begins below the base offset.", below, "log.segment.base")
    far = (1 << 31) + last
    yield changed_case(
        "segment/out-of-range",
        "An offset is 2^31 above the base offset.",
        add(name(last), batch(far, time=START + 99_000)),
        "log.segment.range",
        beyond=(far, far + 1, far + 2),
    )
    yield changed_case(
        "segment/largest-offset",
        "An offset is 2^31 - 1 above the base offset.",
        add(name(last), batch(far - 1, time=START + 99_000)),
        keeps=frozenset({"log.segment.range"}),
        beyond=(far - 2, far - 1, far),
    )
    yield changed_case(
        "segment/jumps-ahead",
        "A batch has offsets that later ones have too.",
        rewritten(9, 1, base_offset=14),
        "log.segment.rising",
    )
    yield changed_case(
        "segment/joined-below",
        "A segment is called by an offset that the one before has.",
        each(rename(19, 15), remove(name(15, "index"), name(15, "timeindex"))),
        "log.segment.join",
        "log.offset-index.present",
    )
    exchanged = each(*(exchange(name(9, kind), name(19, kind)) for kind in ("log", "index", "timeindex")))
    yield changed_case(
        "segment/contents-exchanged",
        "Two segments, with their indexes, have each other's names.",
        exchanged,
        "log.segment.base",
        "log.segment.join",
        "log.offset-index.covers",
        "log.time-index.batch",
    )
    missing = remove(*(name(9, kind) for kind in ("log", "index", "timeindex")))
    yield changed_case(
        "segment/inner-missing",
        "An inner segment is gone with its indexes, and the log was never compacted.",
        each(missing, write_file(CLEANER_FILE, b"0\n0\n")),
        "log.segment.gap",
    )
    yield changed_case(
        "segment/inner-without-last-batch",
        "An inner segment lacks its last batch, its indexes do not name it, and the log was never compacted.",
        each(_without_last_batch, write_file(CLEANER_FILE, b"0\n0\n")),
        "log.segment.gap",
        "log.offset-index.present",
    )
    yield changed_case(
        "segment/epoch-falls",
        "A batch has a lower leader epoch than one before.",
        with_epochs(3, 2),
        "log.segment.epochs",
    )
    yield changed_case(
        "segment/magic-3",
        "A batch has magic 3, and a checksum that fits.",
        rewritten(9, 2, magic=3),
        "entry.magic.known",
    )
    yield changed_case(
        "segment/empty-last",
        "The last segment is empty.",
        each(write_file(name(30), b""), write_file(name(30, "index"), b""), write_file(name(30, "timeindex"), b"")),
    )


def _without_last_batch(files: Files) -> None:
    """Cut the inner segment where its last batch begins, and remove its indexes."""
    last = batches_of(files, 9)[-1]
    cut(9, last.size)(files)
    remove(name(9, "index"), name(9, "timeindex"))(files)


def _names() -> Iterator[DirectoryCase]:
    """A broker takes the offset of such a name, and makes a segment with a name of its own."""
    digits, orphan = "log.name.digits", "log.file.orphan"
    for place, base in zip(("first", "inner", "last"), BASES, strict=True):
        yield changed_case(
            f"segment/few-digits-{place}",
            f"The {place} segment is called {base}.log; its indexes have 20 digits.",
            move(name(base), _few(base)),
            digits,
            orphan,
        )
    yield changed_case(
        "segment/few-digits-all-files",
        f"All files of the last segment are called {LAST}, without zeros in front.",
        each(*(move(name(LAST, kind), _few(LAST, kind)) for kind in ("log", "index", "timeindex"))),
        digits,
        orphan,
    )
    yield changed_case(
        "segment/few-digits-and-sign",
        "The name of the last segment has a sign and 20 digits.",
        each(move(name(LAST), f"orders-0/+{LAST:020}.log"), remove(name(LAST, "index"), name(LAST, "timeindex"))),
        digits,
    )
    yield changed_case(
        "segment/few-digits-twice",
        f"Another {LAST}.log stands beside the last segment.",
        write_file(_few(LAST), batch(LAST, 7)),
        digits,
    )
    yield changed_case(
        "segment/few-digits-behind", "30.log stands past the end of the log.", write_file(_few(30), batch(30)), digits
    )
    yield changed_case(
        "segment/few-digits-within",
        "25.log stands within the last segment.",
        write_file(_few(25), batch(25)),
        digits,
        "log.segment.join",
    )


def _few(base: int, kind: str = "log") -> str:
    """Return the path of a file of a segment, without the zeros that belong in front."""
    return f"orders-0/{base}.{kind}"
