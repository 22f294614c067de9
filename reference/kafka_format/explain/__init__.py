"""Bytes as a person reads them: which bytes are which field, and where they are wrong."""
