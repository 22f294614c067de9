"""The directories of real brokers, unpacked once."""

from pathlib import Path

import pytest

from tests.kafka_format.log import real


@pytest.fixture(scope="session", params=real.NAMES)
def directory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of a broker; its folder is called like the packed one."""
    name = str(request.param)
    return real.unpack(name, tmp_path_factory.mktemp("brokers") / name)
