"""The programs that once recorded bytes of real clients, brokers and their log directories.

Nothing here runs when vectors are generated: what was recorded is stored beside the cases and the
tests, and these programs say where it comes from. `wild` runs producers, clients and brokers;
`log_directories` packs data directories with Kafka's own answers about them; `starts` starts real
nodes on damaged ones. They need a JDK,
Maven, and what each says.
"""
