"""Many batches at once, as columns: the records of `kafka_format.records` in numpy arrays.

    from kafka_format import columnar

    columns = columnar.decode(data)        # a run of entries, as a fetch response has it
    columns.offset, columns.timestamp      # one number a record
    table = columnar.to_arrow(data)        # the same as a table of pyarrow

Record batches are read side by side: the first record of all of them, then the second, and then
every field of all records. That is for many batches what a compiled decoder is for one. It is as
strict as the scalar decoder, and gives the same: wherever it is in doubt, it lets that one read the
batch, and takes its records or its error.

A call goes this way: `decoding` takes the bytes, `entries` cuts them, `batch_headers` picks the
record batches whose headers are sound, and `batch_records` reads their records into a
`record_table`. With `records_by_numpy`, `record_walk` finds each record, `fields` reads all of
them, `varints` and `utf8` what those hold; with `records_by_machine`, the layout machine does.
`fallback` lets the scalar decoder (`scalar`, `scalar_records`) read the other entries. `decoder`
holds this together, and makes `columns` of it, or `outcomes` of several inputs. `plans` says what a
layout has; `arrays`, `byte_moves`, `buffer` and `slices` are tools.

This package needs numpy, `to_arrow` needs pyarrow too (the `arrow` extra). With the layout machine
(kafka-format-native), batches take about half the time.
"""

from importlib.util import find_spec

if find_spec("numpy") is None:
    raise ImportError("kafka_format.columnar needs numpy: pip install 'kafka-format-conformance[arrow]'", name="numpy")

from kafka_format.columnar.arrow import to_arrow
from kafka_format.columnar.columns import Columns
from kafka_format.columnar.decoding import decode, decode_at, decode_many, decode_within
from kafka_format.columnar.outcomes import Outcomes
from kafka_format.columnar.slices import Lists, Slices

__all__ = ["Columns", "Lists", "Outcomes", "Slices", "decode", "decode_at", "decode_many", "decode_within", "to_arrow"]
