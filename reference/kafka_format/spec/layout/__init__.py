"""Layouts: the YAML files of spec/layouts and spec/adapter, checked and loaded into a frozen model."""

from kafka_format.spec.layout.loader import find, load, specification
from kafka_format.spec.layout.model import Layout, Specification

__all__ = ["Layout", "Specification", "find", "load", "specification"]
