"""The commands of `kafka-conformance`, one a module: options, calls, output.

`cli` imports the one that is asked for.
"""
