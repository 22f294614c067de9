"""The commands of `kafka-format`, one module each: options, calls, output."""
