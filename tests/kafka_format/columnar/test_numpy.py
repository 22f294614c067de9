"""Columns without numpy, which the wheel alone does not bring."""

import importlib
import sys

import pytest
from kafka_format import columnar


def test_without_numpy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, columnar.__name__)
    with pytest.raises(ImportError, match=r"needs numpy: pip install 'kafka-format-conformance\[arrow\]'"):
        importlib.import_module(columnar.__name__)
