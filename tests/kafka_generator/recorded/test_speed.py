import pytest
from kafka_generator.recorded import speed


@pytest.fixture
def timed(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"target": "sarama", "workload": speed.WORKLOAD, "ratio": 2.0, "low": 1.5, "high": 2.5, "why": ""}
    not_timed = {**row, "target": "kafkajs", "ratio": None}
    document = {
        "targets": {"sarama": "1.0", "kafkajs": "2.0"},
        "measured": [{**row, "workload": "other"}, row, not_timed],
    }
    monkeypatch.setattr(speed, "document", lambda: document)


@pytest.mark.usefixtures("timed")
def test_what_was_not_timed_or_is_of_another_release_has_no_speed() -> None:
    assert speed.of("kafkajs", "2.0") is None
    assert speed.of("sarama", "1.1") is None
    assert speed.of("aiokafka", "1.0") is None


@pytest.mark.usefixtures("timed")
def test_the_speed_is_that_of_the_workload_that_is_shown() -> None:
    assert speed.of("sarama", "1.0") == (2.0, 1.5, 2.5)


@pytest.mark.usefixtures("timed")
def test_speeds_by_codec_are_of_batches_alike() -> None:
    assert speed.by_codec("sarama", "1.0") == {"none": (2.0, 1.5, 2.5)}
    assert speed.by_codec("kafkajs", "2.0") == {}
