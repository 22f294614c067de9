from kafka_generator import front_page

MARKS = "<!-- figures: made by generate.py -->\n{}<!-- end of figures -->\n"


def test_what_stands_between_the_marks_is_made_anew():
    page = "before\n" + MARKS.format("| old |\n") + "after\n"
    text = front_page.with_figures(page, [{}] * 1234, {"mutants": [{}] * 30, "generated": [{}] * 4}, 56789)
    assert text.startswith("before\n<!-- figures")
    assert text.endswith("<!-- end of figures -->\nafter\n")
    assert "| old |" not in text
    assert "**1,234 vectors**" in text
    assert "**34 mutants**" in text
    assert "**56,789 vectors** of requests" in text


def test_a_page_without_marks_stays_as_it_is():
    assert front_page.with_figures("a page\n", [], {}) == "a page\n"


def test_the_example_is_of_the_recorded_run():
    page = front_page.with_example("<!-- example: made by generate.py -->\nold\n<!-- end of example -->\n")
    assert "old" not in page
    assert f"    {front_page.EXAMPLE} (aiokafka 0.14.0, Python (Cython)): " in page
    assert "returns a timestamp of -1 in format v1 as no timestamp" in page
    assert "\n    >" in page
