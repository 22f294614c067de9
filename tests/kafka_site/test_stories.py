"""What the stories say of sizes is what Kafka's own encoders write: the figures were taken from
these by hand."""

from kafka_site.addresses import Addresses
from kafka_site.model import Site
from kafka_site.stories import checksums, deliveries, lookups, offsets, sizes, varints


def test_a_message_has_the_sizes_that_kafkas_encoders_give_it() -> None:
    values = sizes.values(Site(Addresses()))
    assert values["sizes"] == {"0.7": 15, "v0": 34, "v1": 42, "v2": 76}
    assert (values["header"], values["value_only"]) == (61, 39)


def test_a_broker_writes_what_kafkas_validator_writes() -> None:
    assigned = offsets.values(Site(Addresses()))["assigned"]
    assert {name: one.written for name, one in assigned.items()} == {
        "v0": 16,  # two offsets
        "v0_wrapper": 0,  # all anew
        "v1_wrapper": 8,
        "v1_append_time": 21,  # offset, checksum, attributes, timestamp
        "v2": 12,  # base offset and leader epoch
        "v2_append_time": 14,  # checksum, attributes, max timestamp
    }


def test_a_checksum_catches_every_flip_but_those_outside_of_it() -> None:
    values = checksums.values(Site(Addresses()))
    for flips in values["flips"]:
        assert flips.counts["changed"] == 64  # the offset, of 64 bits
        assert {path.rpartition(".")[2] for path in flips.fields["changed"]} <= {"offset", "base_offset"}
        assert flips.counts["same"] in {0, 32}  # the leader epoch


def test_the_bytes_of_varints_are_those_of_kafkas_byte_utils() -> None:
    encoded = varints.values(Site(Addresses()))["encoded"]
    assert {one.value: one.raw for one in encoded if one.value in {0, -1, 300, 8192}} == {
        0: "00",
        -1: "01",
        300: "d8 04",
        8192: "80 80 01",
    }


def test_a_strip_shows_what_kafkas_consumer_delivers() -> None:
    shown = deliveries.values(Site(Addresses()))["shown"]
    assert shown["turns"].picture.count(">\u2713<") == 4 + 3  # read_uncommitted, then read_committed
    assert shown["empty"].picture.count('class="delivered"') == 0


def test_a_lookup_takes_an_index_entry_and_a_walk() -> None:
    values = lookups.values(Site(Addresses()))
    assert values["entry"].offset < values["target"]
    assert len(values["passed"]) > 0
    assert values["batch"].base_offset <= values["target"] <= values["batch"].last_offset
