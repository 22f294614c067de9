"""`vectors --explain` and `--serve`: the bytes of one vector, and vectors given to a client."""

import re
import subprocess
import sys

import pytest

from tests.command_line import Main
from tests.kafka_tools.server.client import Client, Where


@pytest.mark.parametrize(
    ("vector", "status", "text"),
    [
        ("heartbeat-request/0/typical", 0, "generation_id"),
        ("heartbeat-request/0/trailing", 1, "protocol.body.exact"),
        ("frames/api-versions-response/5/fallback/list", 0, "api_versions response, version 0"),
        ("frames/metadata-request/12/unknown/api/highest", 1, "there is no API 32767"),
    ],
)
def test_a_vector_of_the_protocol_is_explained(main: Main, vector: str, status: int, text: str) -> None:
    found, out, _ = main("vectors", "--explain", "--id", vector)
    assert found == status
    assert text in " ".join(out.split())


@pytest.mark.parametrize(
    ("vector", "status", "texts"),
    [
        ("offset-commit-key/0/whole", 0, ["00 01 number 1", "group 'group-1'"]),
        ("share-snapshot-value/0/whole", 0, ["00 00 version 0", "snapshot_epoch 16909057"]),
        ("topic-record/0/whole", 0, ["01 frame_version 1", "02 number 2", "name 'name-1'"]),
        ("topic-record/0/frame-version/2", 1, ["02 frame_version 2"]),
        ("transaction-log-key/0/unknown/highest", 1, ["7f ff number 32767"]),
        ("transaction-log-value/1/trailing", 1, ["1 byte after the last field"]),
    ],
)
def test_a_key_or_a_value_of_a_topic_is_explained_with_what_is_in_front(
    main: Main, vector: str, status: int, texts: list[str]
) -> None:
    found, out, _ = main("vectors", "--explain", "--id", f"topic_records/{vector}")
    assert found == status
    assert all(text in " ".join(out.split()) for text in texts)


def test_a_vector_of_records_is_explained(main: Main) -> None:
    status, out, _ = main("vectors", "--explain", "--id", "v2/gzip/plain")
    assert (status, out.split("\n")[0]) == (0, "entry 0")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--explain"], "--explain shows one vector"),
        (["--explain", "--id", "v2/gzip/plain", "--id", "v2/lz4/plain"], "--explain shows one vector"),
        (["--explain", "--id", "nothing"], "no vector matches"),
        (["--once"], "--once needs --serve"),
        (["--serve", "0", "--id", "nothing"], "no vector matches"),
        (["--serve", "0", "--id", "v07/*"], "none of these vectors can be served"),
        (["--serve", "70000"], "70000 is not in the range"),
    ],
)
def test_wrong_usage_is_one_message(main: Main, arguments: list[str], words: str) -> None:
    status, _, err = main("vectors", *arguments)
    assert status == 2
    assert words in err


def test_a_vector_is_served_as_the_topic_of_its_id() -> None:
    command = [sys.executable, "-m", "kafka_conformance", "vectors", "--id", "v2/crc/*", "--serve", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = re.search(r":(\d+);", process.stderr.readline())
        assert said is not None
        client = Client(Where("127.0.0.1", int(said[1])))
        names = [topic.name for topic in client.ask("metadata", 1, {"topics": None}).topics]
        client.close()
        process.terminate()
    assert names
    assert all(re.fullmatch(r"v2\.crc\.[a-z0-9._-]+", name) for name in names)
