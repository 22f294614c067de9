"""Versions of versioned layouts, compiled: each becomes one Python module that reads and writes it.

They need none of what makes entries hard (frames, checksums, compression, bits), and there are 900
of them, of which a process uses a few. So their readers and writers are made when they are first
used, from one `plan`: it is the program of the layout machine, and text follows it (`reader_text`,
`writer_text`). As with entries, what these give up is left to the interpreter, which says what is
wrong.
"""

from kafka_format.codec.versions.compiled_version import CompiledVersion, version

__all__ = ["CompiledVersion", "version"]
