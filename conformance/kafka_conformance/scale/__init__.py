"""A decoder against millions of generated batches, spread over cores or machines by Spark.

Batch `index` of a seed is always the same bytes, so nothing but numbers travels: Spark hands out runs of chunks, each
worker generates its batches and their answers, puts them to the target over the adapter protocol, and sends back what
differed. Golden vectors ask what somebody thought of; this asks everything else.

- `plan`: settings, chunks, tasks; `rows`: what a run leaves behind, `store`: where, and what resuming needs;
- `frames`, `mask`, `expected`, `client`, `checker`: one target and blocks of thousands of batches;
- `work`: what a Spark task does; `spark`: the context; `job`: the job;
- `reduce`: findings made small, and kept as golden vectors;
- `summary`, `display`, `run`: counting, showing, and the whole from beginning to end.

`docs/scale.md` describes the files for whoever reads them.
"""
