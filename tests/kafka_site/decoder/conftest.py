"""The scripts of the decoder, written once."""

from pathlib import Path

import pytest
from kafka_site.addresses import Addresses
from kafka_site.decoder import scripts
from kafka_site.model import Site


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("decoder")
    scripts.write(made, Site(Addresses()))
    return made
