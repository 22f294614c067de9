"""One module a command of `kafka-conformance`.

Each imports what it needs when it runs, so that `--help` stays quick.
"""
