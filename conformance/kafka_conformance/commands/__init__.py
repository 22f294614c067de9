"""The commands of `kafka-conformance`, one module each: options, calls, output.

`cli` imports the one that is asked for.
"""
