"""The compiler: a layout becomes a Python module that reads and writes it.

A layout, or one version of a versioned one, is made into one `plan` when it is first used. The plan
of a version is the program of the layout machine; text follows the plan of each (`reader_text`,
`writer_text`). The module is kept in memory and is known to `linecache`, so that tracebacks and
debuggers show it; `Structure.source` is its text. docs/compiled has two such texts to read.

Text and program take only what is beyond suspicion, and raise at the first doubt, without saying
why. Then the interpreter does it, or says what is wrong (`kafka_format.codec.readings`).
"""

from kafka_format.codec.compiler.structure import Structure, structure, version

__all__ = ["Structure", "structure", "version"]
