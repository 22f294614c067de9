"""The machine: memory of processes, their ends, signals, the user's folders, this distribution."""
