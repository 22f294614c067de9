"""The two ways to read columns."""

from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from kafka_format.columnar import numba_loader


@pytest.fixture(scope="module", params=["numpy", "numba"])
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    """Read with numpy only, or with what numba compiled, however little there is to read."""
    if request.param == "numba" and not numba_loader.load_numba():
        pytest.skip("numba is not here: pip install 'kafka-format-conformance[numba]'")
    with numba_loader.numpy_only() if request.param == "numpy" else nullcontext():
        yield request.param
