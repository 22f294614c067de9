"""Case tables: mistakes name file, line and advice, before anything is built."""

import pytest
from kafka_format.errors import LayoutError
from kafka_generator import cases

GOOD = "family: table\ncases:\n  - {id: a/b, title: T, rules: [entry.run], run: []}\n"


def load(tmp_path, text):
    (tmp_path / "table.yaml").write_text(text, encoding="utf-8")
    return cases.load(tmp_path)


def test_a_case_is_valid_unless_it_says_otherwise(tmp_path):
    (case,) = load(tmp_path, GOOD)
    assert (case.id, case.verdict, case.rules, case.family) == ("a/b", "valid", ("entry.run",), "table")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{id: a/b, title: T, rules: [entry.run], runs: []}", "unknown key `runs` (did you mean `run`?)"),
        (
            "{id: a/b, title: T, rules: [entry.runs], run: []}",
            "there is no rule `entry.runs` (did you mean `entry.run`?)",
        ),
        ("{id: a/b, title: T, run: []}", "a case names at least one rule"),
        ("{id: a/b, rules: [entry.run], run: []}", "`title` must be a text"),
        ("{id: a/b, title: T, rules: [entry.run], verdict: bad, run: []}", "unknown verdict `bad`"),
        ("{id: a/b, title: T, rules: [entry.run], verdict: invalid, run: []}", "`rule` must be a text"),
        ("{id: a/b, title: T, verdict: invalid, fault: {rule: entry.run}, run: []}", "`twin` must be a text"),
        ("{id: a/b, title: T, verdict: lenient, fault: {rule: entry.run}, run: []}", "`flag` must be a text"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(tmp_path, line, complaint):
    with pytest.raises(LayoutError) as caught:
        load(tmp_path, f"family: table\ncases:\n  - {line}\n")
    assert str(caught.value).startswith("vectors/cases/table.yaml:3: ")
    assert complaint in str(caught.value)


def test_an_id_names_one_case(tmp_path):
    with pytest.raises(LayoutError, match=r"table.yaml:4: `a/b` appears twice \(the first is in line 3\)"):
        load(tmp_path, GOOD + "  - {id: a/b, title: T, rules: [entry.run], run: []}\n")


def test_the_family_is_the_name_of_the_file(tmp_path):
    with pytest.raises(LayoutError, match="the family of this file is `table`"):
        load(tmp_path, GOOD.replace("family: table", "family: other"))
