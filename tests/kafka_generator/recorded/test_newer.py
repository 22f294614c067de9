from dataclasses import replace

import pytest
from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.manifest import History
from kafka_generator.recorded import newer, results
from kafka_generator.recorded.results import Row
from kafka_tools.errors import UsageError


@pytest.mark.parametrize(
    ("registry", "said"),
    [
        *(("pypi", ""), ("pypi", "aiokafka"), ("npm", "{"), ("go", "{}"), ("go", "[]"), ("go", "")),
        *(("crates", ""), ("crates", "rust-version: 1.85\n"), ("maven", "[INFO] BUILD SUCCESS\n")),
    ],
)
def test_an_answer_without_a_release_is_an_error(registry: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"{registry} answers"):
        newer.parse(registry, said)


@pytest.mark.parametrize(
    ("registry", "said", "release"),
    [
        ("pypi", "aiokafka (0.14.0)\nAvailable versions: 0.14.0, 0.13.0\n", "0.14.0"),
        ("npm", '"2.12.1"\n', "2.12.1"),
        ("go", '{"Path": "github.com/IBM/sarama", "Version": "v1.61.1"}', "1.61.1"),
        ("crates", "rskafka #api #kafka\nA client\nversion: 0.6.0\nrust-version: 1.85\n", "0.6.0"),
        (
            "maven",
            "[INFO] resolved:\n[INFO]    org.apache.kafka:kafka-clients:jar:4.4.0:compile -- module kafka.clients\n",
            "4.4.0",
        ),
    ],
)
def test_the_release_is_read_from_what_the_clients_of_registries_print(registry: str, said: str, release: str) -> None:
    assert newer.parse(registry, said) == release


def test_a_registry_that_does_not_answer_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newer, "_ASK", {"npm": ("no-such-program-here", "{package}")})
    with pytest.raises(UsageError, match="npm does not say which releases of kafkajs there are"):
        newer.newest(History("npm", "kafkajs", (), ()))


@pytest.mark.parametrize(
    ("name", "why"), [("aiokafak", "no target 'aiokafak'"), ("librdkafka", "no target"), ("tshark", "no registry")]
)
def test_a_target_that_cannot_be_asked_about_is_an_error(name: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        list(newer.newer([name]))


def test_only_a_release_that_is_newer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    known = manifest.load_all()["aiokafka"].version
    monkeypatch.setattr(newer, "newest", lambda _: known)
    assert list(newer.newer(["aiokafka"])) == []
    monkeypatch.setattr(newer, "newest", lambda _: f"{known}.1")
    assert list(newer.newer(["aiokafka"])) == [("aiokafka", known, f"{known}.1")]


def test_of_a_library_with_several_targets_only_the_newest_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newer, "newest", lambda _: "99.0")
    assert [one.target for one in newer.newer(["kafka-python", "kafka-python-2"])] == ["kafka-python"]


def test_a_release_that_was_run_is_not_named_again(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Row("aiokafka@99.0", Part.DECODER, "99.0", "Python", "", 9, 9, 0, {})
    monkeypatch.setattr(newer, "newest", lambda _: "99.0")
    monkeypatch.setattr(results, "load", lambda part: [row] if part is Part.DECODER else [])
    assert list(newer.newer(["aiokafka"])) == []
    monkeypatch.setattr(results, "load", lambda part: [replace(row, problem="no wheel")] if part is row.part else [])
    assert [one.release for one in newer.newer(["aiokafka"])] == ["99.0"]
