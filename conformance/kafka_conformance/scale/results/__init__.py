"""Results of a run: rows in Parquet, counts, the summary, reduced findings.

- `rows`: the rows as data; `schemas`: their columns in Parquet; `fate`: what can become of a batch
- `files`: files that are written whole or not at all; `parquet`: the parts that hold rows
- `run_settings`: what a run was asked, and whether it may be resumed
- `run_folder`: the folder of a run, and what resuming it needs
- `counts`: rows added up as they arrive; `summary`: the run in numbers; `summary_json`: the same as
  a file
- `reductions`: reduced findings as data, and the file that holds them; `causes`: which of them have
  one cause
"""
