"""What the stories say of sizes is what Kafka's own encoders write: the figures were taken from these by hand."""

from kafka_site.addresses import Addresses
from kafka_site.model import Site
from kafka_site.stories import sizes


def test_a_message_has_the_sizes_that_kafkas_encoders_give_it() -> None:
    values = sizes.values(Site(Addresses()))
    assert values["sizes"] == {"0.7": 15, "v0": 34, "v1": 42, "v2": 76}
    assert (values["header"], values["value_only"]) == (61, 39)
