"""Where things stand on the site: every name once, links relative to the page, unknown names
refused."""

import pytest
from kafka_site.addresses import Address, Addresses, UnknownNameError, relative

CRC = Address("rule", "v2.crc", "rules/v2", "v2.crc")


def test_a_link_is_relative_to_its_page() -> None:
    known = Addresses()
    known.add([CRC])
    assert known.url("rule", "v2.crc", "structures/record_batch") == "../rules/v2.html#v2.crc"
    assert known.url("rule", "v2.crc", "rules/v2") == "v2.html#v2.crc"
    assert known.url("rule", "v2.crc", "flags") == "rules/v2.html#v2.crc"


def test_from_a_page_three_folders_deep() -> None:
    assert relative("flags", "a/b/c") == "../../flags.html"


def test_a_name_that_nobody_has_is_refused_with_the_page_that_names_it() -> None:
    with pytest.raises(UnknownNameError, match=r"stories/offsets: there is no rule v2\.crk"):
        Addresses().url("rule", "v2.crk", "stories/offsets")


def test_two_places_of_one_name_are_refused() -> None:
    known = Addresses()
    known.add([CRC])
    with pytest.raises(ValueError, match=r"two places for rule v2\.crc"):
        known.add([CRC._replace(page="rules/other")])


def test_a_name_is_escaped_in_a_link() -> None:
    known = Addresses()
    known.add([Address("vector", "a<b", "vectors/a", "a<b")])
    assert known.link("vector", "a<b", "flags") == '<a href="vectors/a.html#a&lt;b"><code>a&lt;b</code></a>'
