"""Directories of real brokers, packed small, with Kafka's own answers about them, for tests.

`python -m kafka_generator.recordings.log_directories` makes them anew: it starts a broker of each
release from Maven's jars, has `Fill.java` write topics of every kind, keeps the files as they are
while it runs (what a crash leaves) and after it was stopped, and has `Ask.java` put questions to
the classes that read such files.
"""
