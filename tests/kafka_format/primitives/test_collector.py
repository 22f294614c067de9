"""The pause of the garbage collector: on again afterwards, and only where it was on."""

import gc
from collections.abc import Callable, Iterator
from threading import Barrier, Thread
from typing import Any

import pytest
from kafka_format import records, structure
from kafka_format.codec.compiler import version
from kafka_format.errors import FormatError
from kafka_format.primitives.collector import LARGE, paused_collector
from kafka_format.records import Record


@pytest.fixture(autouse=True)
def _usual() -> Iterator[None]:
    thresholds = gc.get_threshold()
    gc.enable()
    yield
    gc.enable()
    gc.set_threshold(*thresholds)


def collections(decode: Callable[[bytes], Any], data: bytes) -> int:
    """How often the collector runs while bytes are decoded, also where they are refused."""
    ran: list[str] = []
    gc.callbacks.append(lambda phase, _: ran.append(phase))
    try:
        decode(data)
    except FormatError:
        pass
    finally:
        gc.callbacks.pop()
    return ran.count("start")


BATCHES = records.encode([Record(0, value=bytes(100))]) * (LARGE // 100)
BODY = version("fetch_response", 4).encode({"responses": [{"topic": "a" * 100}] * (LARGE // 100)})
DECODERS = [
    (records.decode, BATCHES),
    (records.decode, BATCHES + BATCHES[:-1] + b"\1" * 60),
    (structure("record_batch").decode, records.encode([Record(n, value=bytes(100)) for n in range(LARGE // 100)])),
    (version("fetch_response", 4).decode, BODY),
    (version("fetch_response", 4).decode, BODY[:-1]),
]


@pytest.mark.parametrize(("decode", "data"), DECODERS)
def test_it_is_off_within_a_call_and_on_afterwards(decode: Callable[[bytes], Any], data: bytes) -> None:
    gc.collect()
    gc.set_threshold(20)  # without a pause, dozens of collections
    assert collections(decode, data) <= 2
    assert gc.isenabled()


@pytest.mark.parametrize(("decode", "data"), DECODERS)
def test_it_stays_off_where_the_caller_has_switched_it_off(decode: Callable[[bytes], Any], data: bytes) -> None:
    gc.disable()
    collections(decode, data)
    assert not gc.isenabled()


def test_it_is_left_alone_for_little() -> None:
    gc.collect()
    gc.set_threshold(10)
    assert collections(records.decode, BATCHES[: LARGE // 2]) > 5


def test_an_error_within_ends_the_pause() -> None:
    with pytest.raises(ValueError, match="within"), paused_collector():
        raise ValueError("within")
    assert gc.isenabled()


def test_threads_never_leave_it_off() -> None:
    start = Barrier(4)

    def pause() -> None:
        start.wait()
        for _ in range(2000):
            with paused_collector():
                pass

    threads = [Thread(target=pause) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gc.isenabled()
