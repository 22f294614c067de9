"""Layouts: the YAML files of spec/layouts and spec/adapter, checked and loaded as objects."""

from kafka_format.spec.layout.loader import Specification, find, load, specification
from kafka_format.spec.layout.model import Layout

__all__ = ["Layout", "Specification", "find", "load", "specification"]
