"""One module a command of `kafka-conformance`: options in, calls, output. `cli` imports the one that is asked for."""
