"""What all tests share: how Hypothesis searches, that Ctrl-C is heard, and the two ways to make batches.

In CI the examples are the same in every run, so that a failure is the change's doing; elsewhere each run looks at new
ones. No deadline: a shared machine is now and then ten times slower than itself. `--hypothesis-profile=thorough` looks
at ten times as many.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from hypothesis import settings
from kafka_format import machine_code

settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=1000)
settings.load_profile("ci" if os.environ.get("CI") else "default")

# Whoever starts the tests in the background has them ignore Ctrl-C, and with them all programs that they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Side by side (`pytest -n auto`), a file's tests stay together, and so do all that share the Spark session."""
    for item in items:
        shares_spark = isinstance(item, pytest.Function) and "context" in item.fixturenames
        item.add_marker(pytest.mark.xdist_group("spark" if shares_spark else str(item.path)))


@pytest.fixture(scope="module", params=["numpy", "numba"])
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    """Have the sampler work in one of its two ways, however little there is to do."""
    if request.param == "numba" and not machine_code.load():
        pytest.skip("numba is not here: pip install 'kafka-format-conformance[fast]'")
    with machine_code.without() if request.param == "numpy" else nullcontext():
        yield request.param
