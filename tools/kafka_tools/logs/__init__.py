"""Log directories explained to people: files, lookups, starts, damage, and what to do about it.

- `dump`: files line for line as Kafka's own tool prints them; `control_text`: control records in
  its words
- `lookups`: the way of a lookup, in lines
- `verdicts`, `effects`: broken rules, with what they cost and what to do
- `recovery_text`: what a start after a crash would do, in lines
- `statistics`: batches, records, codecs, producers and times of a partition, as tables
- `dumps_json`, `annotation`: the same as JSON, and byte for byte
- `tables`: the statistics on the terminal
- `log_paths`: what a path of the user's is
"""
