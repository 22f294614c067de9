"""Tests of decoders with millions of generated batches, spread over cores or machines by Spark.

Batch `index` of a seed is always the same bytes, so nothing but numbers travels: Spark hands out
runs of chunks, each worker generates its batches and their answers, puts them to the target over
the adapter protocol, and sends back what differed. Golden vectors ask what somebody thought of;
this asks everything else.

- `run`: the whole of a run, from beginning to end; `options`: how it is to be done; `modes`: what
  the command does
- `plan`: settings, and how batches are cut into chunks and tasks
- `execution`: the chunks done by Spark; `job`: one Spark job; `spark`: its context; `arrivals`: the
  rows that come back
- `work`: what a Spark task does; `batches`: generated batches; `tally`: what a target did with them
- `ask`: one target and blocks of thousands of batches, asked, compared and judged
- `results`: what a run leaves behind; `report`: what people see of it
- `reduce`: findings made small, and kept as golden vectors

`docs/scale.md` describes the files that a run writes.
"""
