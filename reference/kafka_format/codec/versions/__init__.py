"""Versions of versioned layouts, compiled: each becomes one Python module that reads and writes it.

They need none of what makes entries hard (frames, checksums, compression, bits), and there are 900
of them, of which a process uses a few. So their text is put together here without templates: the
first use of an API takes milliseconds. As with entries, what the compiled reader gives up is left
to the interpreter, which says what is wrong.
"""

from kafka_format.codec.versions.compiled_version import CompiledVersion, version

__all__ = ["CompiledVersion", "version"]
