"""The compiler: a layout becomes a Python module that reads and writes it.

The module is made by the templates beside this file, is kept in memory, and is known to
`linecache`, so that tracebacks and debuggers show it; `Structure.source` is its text. docs/compiled
has two such texts to read.

The module takes only what is beyond suspicion: its reader returns None at the first doubt, without
saying why, and its writer raises. Then the interpreter does it, or says what is wrong
(`kafka_format.codec.readings`).
"""

from kafka_format.codec.compiler.custom_template import compile_template
from kafka_format.codec.compiler.structure import WRITE_FAILS, Structure, structure

__all__ = ["WRITE_FAILS", "Structure", "compile_template", "structure"]
