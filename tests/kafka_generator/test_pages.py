from kafka_format.spec import data
from kafka_generator import pages


def test_every_family_of_layouts_has_a_heading_and_no_other_has() -> None:
    folders = {path.name for path in (data.path("spec") / "layouts").iterdir()}
    assert set(pages._FAMILIES) == folders - {"protocol"}  # which has pages of its own


def test_layouts_of_our_protocol_stand_on_its_own_page() -> None:
    page = pages.with_layouts("one\n<!-- layouts: made by generate.py -->\n4711\n<!-- end of layouts -->\ntwo\n")
    assert page.startswith("one\n<!-- layouts: made by generate.py -->\n\n### answer\n")
    assert page.endswith("\n<!-- end of layouts -->\ntwo\n")
    assert "### record_batch" not in page
    assert "### assign_input" not in page
    assert "4711" not in page


def test_page_without_a_place_for_them_stays_as_it_is() -> None:
    assert pages.with_layouts("one\n") == "one\n"
