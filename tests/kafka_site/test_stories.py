"""What the stories say of sizes is what Kafka's own encoders write: the figures were taken from
these by hand."""

import re
from typing import Any

import pytest
from kafka_site.addresses import Addresses
from kafka_site.model import Site
from kafka_site.stories import (
    checksums,
    compactions,
    deliveries,
    fetches,
    lookups,
    offsets,
    path,
    prices,
    sizes,
    transactions,
    varints,
    wrappers,
)


@pytest.fixture(scope="module")
def site() -> Site:
    return Site(Addresses())


@pytest.fixture(scope="module")
def told_of_wrappers(site: Site) -> dict[str, Any]:
    return wrappers.values(site)


def test_a_message_has_the_sizes_that_kafkas_encoders_give_it(site: Site) -> None:
    values = sizes.values(site)
    assert values["sizes"] == {"0.7": 15, "v0": 34, "v1": 42, "v2": 76}
    assert (values["header"], values["keyless"].size) == (61, 39)
    assert values["wins_v0"] == 4  # 61 bytes and 15 a record, beside 34 a message
    assert list(map(sum, zip(*values["shares"].values(), strict=True))) == [15, 34, 42, 39, 76]


def test_a_broker_writes_what_kafkas_validator_writes(site: Site) -> None:
    assigned = offsets.values(site)["assigned"]
    assert offsets.values(site)["anew"].written == 16  # two offsets inside of the wrapper
    assert {name: one.written for name, one in assigned.items()} == {
        "v0": 16,  # two offsets
        "v0_wrapper": 0,  # all anew
        "v1_wrapper": 8,
        "v1_append_time": 21,  # offset, checksum, attributes, timestamp
        "v2": 12,  # base offset and leader epoch
        "v2_append_time": 14,  # checksum, attributes, max timestamp
    }


def test_a_checksum_catches_every_flip_but_those_outside_of_it(site: Site) -> None:
    values = checksums.values(site)
    for flips in values["flips"]:
        assert flips.counts["changed"] == 64  # the offset, of 64 bits
        assert {path.rpartition(".")[2] for path in flips.fields["changed"]} <= {"offset", "base_offset"}
        assert flips.counts["same"] in {0, 32}  # the leader epoch


def test_the_bytes_of_varints_are_those_of_kafkas_byte_utils(site: Site) -> None:
    encoded = varints.values(site)["encoded"]
    assert {one.value: one.raw for one in encoded if one.value in {0, -1, 300, 8192}} == {
        0: "00",
        -1: "01",
        300: "d8 04",
        8192: "80 80 01",
    }


def test_a_strip_shows_what_kafkas_consumer_delivers(site: Site) -> None:
    shown = deliveries.values(site)["shown"]
    assert shown["turns"].picture.count(">\u2713<") == 4 + 3  # read_uncommitted, then read_committed
    assert shown["empty"].picture.count('class="delivered"') == 0


def test_a_lookup_takes_an_index_entry_and_a_walk(site: Site) -> None:
    values = lookups.values(site)
    assert values["entry"].offset < values["target"]
    assert len(values["passed"]) > 0
    assert values["batch"].base_offset <= values["target"] <= values["batch"].last_offset


def test_a_lookup_of_a_time_ends_where_that_of_the_offset_does(site: Site) -> None:
    """There is a second between records, so second 79 is the time of offset 79."""
    values = lookups.values(site)
    for picture in (values["picture"], values["time_picture"]):
        matches = re.findall(r'class="batch found"[^/]*/>\s*<text[^>]*>(\d+)<', picture)
        assert matches == [str(values["batch"].base_offset)]
        assert picture.count('class="batch passed"') == len(values["passed"])


def test_a_fetch_is_drawn_request_by_request(site: Site) -> None:
    values = fetches.values(site)
    for arrow in ("question", "answer"):
        assert values["ladder"].count(f'class="{arrow}"') == len(values["steps"])
    assert values["map"].count("<rect") == values["size"]


def test_an_offset_in_a_wrapper_is_read_in_several_ways_and_one_is_right(told_of_wrappers: dict[str, Any]) -> None:
    read = {wrapper.vector.id: wrapper for wrapper in told_of_wrappers["read"]}
    gaps = read["v1/wrapper/gaps"]
    assert (gaps.outer, gaps.inner, gaps.offsets) == (107, [0, 3, 7], [100, 103, 107])
    assert gaps.readings == [
        ([0, 3, 7], False),
        ([107, 110, 114], False),
        ([105, 106, 107], False),  # what kafka-node gives
        ([100, 103, 107], True),
    ]
    assert [right for _, right in read["v0/wrapper/offset-unlike-last"].readings] == [True, False, False, False]


def test_producers_do_not_agree_on_what_a_wrapper_says(told_of_wrappers: dict[str, Any]) -> None:
    sent = told_of_wrappers["sent"]
    of_python = next(one for one in sent if one.format == "v1" and "kafka-python-2-0-2" in one.producers)
    assert (of_python.outer, of_python.inner, of_python.time) == (0, [0, 1, 2, 3, 4], "0")


def test_a_record_beside_its_content_takes_what_the_layouts_say(site: Site) -> None:
    """Offset, size, checksum, magic, attributes and two lengths, and in v1 a timestamp."""
    values = prices.values(site)
    assert {*values["overheads"]["v0"].values()} == {8 + 4 + 4 + 1 + 1 + 4 + 4}
    assert {*values["overheads"]["v1"].values()} == {8 + 4 + 4 + 1 + 1 + 8 + 4 + 4}
    of_v2 = values["overheads"]["v2"]
    assert of_v2[64] - of_v2[63] == pytest.approx(1, abs=0.01)  # the length of the key


def test_compaction_keeps_frames_and_an_empty_batch_of_a_producer(site: Site) -> None:
    shown = compactions.values(site)["shown"]
    assert [(one.first, one.last, one.offsets) for one in shown["plain"].left][:2] == [(0, 4, [4]), (5, 6, [5, 6])]
    assert [one.offset for one in shown["plain"].sent if not one.is_left] == [0, 1, 2, 3]
    empty = shown["idempotent"].left[0]
    assert (empty.size, empty.offsets, empty.what) == (61, [], "producer 0, sequence from 0")
    assert "marker: abort, delete horizon 2026" in shown["transactional"].left[2].what


def test_the_client_of_a_capture_says_who_it_is(site: Site) -> None:
    assert "2.16.0" in fetches.values(site)["client"]


def test_a_broker_lists_the_transactions_that_were_aborted_below_the_last_stable_offset(site: Site) -> None:
    """Producer 2 is aborted at 9, too, after the transaction that 1 has open from 8 on."""
    values = transactions.values(site)
    assert (values["stable"], values["end"]) == (8, 11)
    assert values["listed"] == [(1, 0), (1, 2), (2, 6)]
    assert [row.what for row in values["rows"] if row.what.startswith("marker")] == [
        "marker: abort",
        "marker: abort",
        "marker: commit",
        "marker: abort",
    ]
    assert values["sent"].count(">\u2713<") == 1  # offset 3 alone


def test_a_record_keeps_its_batch_on_the_way(site: Site) -> None:
    """Counted on paper.

    A request has 4 bytes of size, 15 of header and 24 of body around the batch, a response 4, 5 and
    58. From offset 0 to 42 one byte changes, and from epoch -1 to 3 all four.
    """
    values = path.values(site)
    assert {name: station.size for name, station in values["stations"].items()} == {
        "batch": 76,
        "produce": 119,
        "kept": 76,
        "fetch": 143,
    }
    assert values["changed"] == 5
    assert (values["record"], values["content"], values["indexes"]) == (
        15,
        8,
        {"offset_index_entry": 8, "time_index_entry": 12},
    )
    assert values["delivered"][:1] == (42,)
