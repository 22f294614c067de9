"""The adapter's side of the adapter protocol, in Python."""
