"""The audit: whole data directories of brokers are checked against every rule, on Spark.

A task is a segment or a slice of one. What `kafka_format.log_columns` finds of the slices of a
segment is put together on the way: a segment that leaves a doubt is read again by the rules, and
the rules between segments are looked at partition by partition at the end. What is found is what
`kafka-format log verify` finds.

- `run`: the whole of an audit; `options`: how it is to be done
- `plan`: partitions, slices of their segments, tasks; `work`: what tasks do
- `stages`: the Spark jobs, one after another
- `replicas`: the same partitions of several brokers
- `rows`: what is found, as data; `schemas`: the same as columns of Parquet; `audit_folder`: what an
  audit leaves behind
- `summary`: the audit in numbers; `terminal`, `page`: the same for people

`docs/audit.md` describes the files that an audit writes.
"""
