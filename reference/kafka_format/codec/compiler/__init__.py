"""The compiler: a layout becomes a Python module that reads and writes it.

The module is made by the templates beside this file, is kept in memory, and is known to `linecache`, so that
tracebacks and debuggers show it; `Structure.source` is its text. It reads in two gears. `quick` takes only what is
beyond suspicion and raises at the first doubt, without saying why. Then `read` starts again and says what is wrong,
where, and by which rule, or accepts it if a flag allows.
"""

from kafka_format.codec.compiler.structure import DOUBT, WRITE_FAILS, Structure, structure
from kafka_format.codec.compiler.view import view

__all__ = ["DOUBT", "WRITE_FAILS", "Structure", "structure", "view"]
