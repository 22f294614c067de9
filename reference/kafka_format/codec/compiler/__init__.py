"""The compiler: a layout becomes a Python module that reads and writes it.

The text is put together by `structure_text`, from a `plan` of the layout. The module is kept in
memory and is known to `linecache`, so that tracebacks and debuggers show it; `Structure.source` is
its text. docs/compiled has two such texts to read.

The module takes only what is beyond suspicion: its reader and its writer raise at the first doubt,
without saying why. Then the interpreter does it, or says what is wrong
(`kafka_format.codec.readings`).
"""

from kafka_format.codec.compiler.structure import Structure, structure

__all__ = ["Structure", "structure"]
