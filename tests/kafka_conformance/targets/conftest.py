"""Builds the oracle's adapter by its manifest, once for each release of Kafka, and runs it."""

import fcntl
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from kafka_conformance.targets import manifest
from kafka_conformance.targets.manifest import Manifest

from tests.kafka_conformance.targets.adapter_client import Adapter

ROOT = Path(__file__).parents[3]
ORACLE = manifest.load_all()["kafka-clients"]
SOURCE = ORACLE.folder / "decoder"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "oracle: runs Apache Kafka's own classes (needs a JDK and Maven)")


def filled(command: Sequence[str], version: str) -> list[str]:
    cache = ROOT / "build/targets/kafka-clients"
    return [word.format(here=ORACLE.folder, cache=cache, version=version) for word in command]


def built(version: str) -> list[str]:
    """Builds the adapter as the manifest says, and answers the command that runs it."""
    missing = [program for program in ORACLE.needs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"the oracle needs {', '.join(missing)} on the PATH")
    jar = ROOT / f"build/targets/kafka-clients/kafka-clients-{version}/adapter.jar"
    sources = [SOURCE / "pom.xml", *SOURCE.glob("src/**/*.java")]
    with _alone(jar.parents[1] / "lock"):
        if not jar.exists() or jar.stat().st_mtime < max(source.stat().st_mtime for source in sources):
            for command in ORACLE.install:
                _build(filled(command, version))
    java, *arguments = filled(ORACLE.run, version)
    return [
        java,
        "-XX:TieredStopAtLevel=1",
        *arguments,
    ]  # it lives for seconds, too short for the slower compiler


def _build(command: list[str]) -> None:
    """Run a command; skip if Maven reaches no repository, for which the adapter is not to blame."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    said = done.stdout + done.stderr
    if done.returncode and "Could not transfer" in said:
        pytest.skip(f"Maven reaches no repository: {said.strip().splitlines()[0][:300]}")
    assert done.returncode == 0, said


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Wait for other processes of the same tests: they build the same files."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="module")
def oracle_manifest() -> Manifest:
    return ORACLE


@pytest.fixture(scope="module", params=ORACLE.all_versions)
def oracle_version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def oracle_command(oracle_version: str) -> list[str]:
    return built(oracle_version)


@pytest.fixture(scope="module")
def kafka(oracle_command: list[str]) -> Iterator[Adapter]:
    with Adapter(oracle_command) as adapter:
        yield adapter
