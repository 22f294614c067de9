"""Exceptions of code that is not ours. Those of decoders are in scale/test_unspeakable.py."""

from pathlib import Path

import pytest
from kafka_conformance.serving import python_function
from kafka_tools.errors import UsageError

MODULE = """
class Unspeakable(Exception):
    def __str__(self):
        raise ValueError("no text")


raise Unspeakable
"""


def test_module_that_raises_what_cannot_be_told_is_a_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unspeakable_module.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError) as error:
        python_function.load("unspeakable_module:decode")
    told = "cannot import unspeakable_module: Unspeakable (its text cannot be read: ValueError)."
    assert error.value.message == told
