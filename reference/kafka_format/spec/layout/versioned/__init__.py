"""Versioned layouts: the structures of the protocol, each in all its versions."""

from kafka_format.spec.layout.versioned.model import VersionedField, VersionedLayout, VersionedStructure
from kafka_format.spec.layout.versioned.versions import Versions

__all__ = ["VersionedField", "VersionedLayout", "VersionedStructure", "Versions"]
