"""Declarations of mutants: wrong ones say what is wrong with them, and changes are noticed."""

import importlib
import sys

import pytest
from kafka_generator.mutants import mutant as mutants
from kafka_generator.mutants.mutant import digest, family, program
from kafka_tools.errors import UsageError

MODULE = '''
from kafka_generator.mutants.mutant import family

LIMIT = 1


def shared(number):
    """Used by one of them."""
    return number + LIMIT


def first(patch):
    """Is the first."""
    patch.replace(shared, lambda: shared(2))


def second(patch):
    """Is the second."""
    patch.skip(print)


def third(patch):
    """Is the third."""

    def wrong(right, batch, *, strict):
        sizes = [record.size for record in batch if strict]
        match batch:
            case [head, *tail]:
                return sizes, head, tail
        return right(batch, strict=strict)

    patch.wrap(sorted, lambda right, left: wrong(right, left, strict=True))
'''


def loaded(tmp_path, monkeypatch, text, name):
    (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module(name)


def test_a_declaration_has_its_sentence_from_the_docstring(monkeypatch):
    monkeypatch.setattr(mutants, "_declared", {})

    @family("decode", "toy")("toy/one", rules=["v2.offset"])
    def one(patch):
        """Does one thing
        wrong.
        """

    (declared,) = mutants._declared.values()
    assert (declared.id, declared.does, declared.direction, declared.family) == (
        "toy/one",
        "Does one thing wrong.",
        "decode",
        "toy",
    )
    assert (declared.rules, declared.source, declared.change) == (("v2.offset",), ("mutation",), one)


def test_a_wrong_declaration_says_what_is_wrong(monkeypatch):
    monkeypatch.setattr(mutants, "_declared", {})
    toy = family("decode", "toy")

    def change(patch):
        """Does nothing."""

    toy("toy/one")(change)
    with pytest.raises(UsageError, match="`toy/one` is declared twice"):
        toy("toy/one")(change)
    with pytest.raises(UsageError, match=r"toy/two: there is no rule `v2\.ofset`"):
        toy("toy/two", rules=["v2.ofset"])(change)
    with pytest.raises(UsageError, match="toy/two has no docstring"):
        toy("toy/two")(lambda _: None)
    with pytest.raises(UsageError, match="there is no direction `decoding`"):
        family("decoding", "toy")


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("skip(print)", "skip(repr)", {"second"}),
        ("number + LIMIT", "number - LIMIT", {"first"}),
        ("LIMIT = 1", "LIMIT = 2", {"first"}),
        ("Is the second.", "Is another.", set()),
        ("Used by one of them.", "Used.", set()),
        ("patch.skip(print)", "patch . skip (\n        print,  # a comment\n    )", set()),
        ("def wrong(right, batch, *, strict)", "def wrong(right, entry, *, strict)", {"third"}),  # batch is free then
        ("record.size for record in batch", "each.size for each in batch", set()),
        ("lambda right, left: wrong(right, left,", "lambda right, other: wrong(right, other,", set()),
        ("lambda right, left: wrong(right, left,", "lambda right, left: wrong(left, right,", {"third"}),
        ("lambda right, left: wrong(right, left,", "lambda right, left: wrong(right, strict,", {"third"}),
        ("[record.size for record in batch if strict]", "[strict.size for record in batch if strict]", {"third"}),
        ("[record.size for record", "[record.width for record", {"third"}),
    ],
)
def test_the_digest_changes_with_what_a_mutant_does_and_not_with_its_form(tmp_path, monkeypatch, old, new, changed):
    assert MODULE.count(old) == 1
    before = loaded(tmp_path, monkeypatch, MODULE, "family_before")
    after = loaded(tmp_path, monkeypatch, MODULE.replace(old, new), "family_after")
    names = ("first", "second", "third")
    assert {name for name in names if digest(getattr(before, name)) != digest(getattr(after, name))} == changed


@pytest.mark.parametrize(
    ("old", "new", "is_changed"),
    [
        ("wrong", "misread", False),
        ("sizes", "widths", False),
        ("head", "first_batch", False),
        ("tail", "others", False),
        ("strict", "careful", True),  # an argument that callers name
        ("patch", "change", False),
        ("sorted", "list", True),
        ("size ", "width ", True),
    ],
)
def test_a_local_variable_may_have_any_name(tmp_path, monkeypatch, old, new, is_changed):
    text = MODULE[MODULE.index("def third") :]
    before = loaded(tmp_path, monkeypatch, text, "family_before")
    after = loaded(tmp_path, monkeypatch, text.replace(old, new), "family_after")
    assert (digest(before.third) != digest(after.third)) == is_changed
    assert (program(text) != program(text.replace(old, new))) == is_changed
