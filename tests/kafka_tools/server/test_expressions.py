"""Expressions of members: RE2's, whole names, and none that takes for ever."""

import pytest
from kafka_tools.server.expressions import Expression


@pytest.mark.parametrize("text", ["(t1", "t1)", "[z-a]", "(?=t)t1", r"(t)\1", "t{1001}", "*t", "\\"])
def test_what_re2_does_not_know(text):
    with pytest.raises(ValueError, match="RE2"):
        Expression(text)


@pytest.mark.parametrize(
    ("text", "name", "matches"),
    [
        ("t1", "t1", True),
        ("t", "t1", False),
        ("1", "t1", False),
        ("[pt].*", "pulse", True),
        ("(?i)T1", "t1", True),
        (r"\pL\d", "t1", True),
        ("a|t1", "t1", True),
        ("", "", True),
    ],
)
def test_a_name_matches_as_a_whole(text, name, matches):
    assert Expression(text).matches(name) is matches


@pytest.mark.parametrize("text", ["(a+)+b", "(a|aa)+b", "(a*)*b", "(.*)*(.*)*(.*)*b", "(a?){249}a{249}b"])
def test_an_expression_that_others_hang_on(text):
    assert not Expression(text).matches("a" * 249)
