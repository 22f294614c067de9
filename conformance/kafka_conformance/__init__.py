"""Tells whether a decoder of Apache Kafka's message formats is right.

The suite puts golden vectors to *targets*: decoders under test, each behind a small *adapter* that
speaks the adapter protocol over its standard input and output. What a target does with a vector is
an *outcome*; whatever is not a pass is a *finding*.

Start at `kafka_conformance.run.runner.run` (vectors and targets in, a `Run` out), or at the
command `kafka-conformance`.
"""
