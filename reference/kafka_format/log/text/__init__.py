"""The text files of a data directory: checkpoints, ids, states.

Each is read and written as in Kafka.

- `checkpoints`: offsets of partitions, and leader epochs
- `partition_metadata`: the id of a topic; `meta_properties`: the ids of a broker and its directory
- `quorum_state`: what a KRaft node remembers of elections; `clean_shutdown`: the marker of a clean
  stop
- `lines`: how lines, numbers and ids are read
"""
