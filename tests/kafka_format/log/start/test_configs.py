"""Settings of topics that a broker loads its logs with."""

from __future__ import annotations

from kafka_format.log.contents.image import Image, Topic
from kafka_format.log.start.configs import index_interval

TOPIC = 2


def test_the_interval_of_an_index_is_that_of_the_topic() -> None:
    image = Image(topics={"AAAAAAAAAAAAAAAAAAAAAQ": Topic("often"), "AAAAAAAAAAAAAAAAAAAAAg": Topic("usual")})
    image.configs[TOPIC, "often"] = {"index.interval.bytes": "100"}
    assert index_interval(image, "often") == 100
    assert index_interval(image, "usual") is None


def test_a_topic_that_is_gone_has_no_interval() -> None:
    image = Image(configs={(TOPIC, "gone"): {"index.interval.bytes": "not checked"}})
    assert index_interval(image, "gone") is None
