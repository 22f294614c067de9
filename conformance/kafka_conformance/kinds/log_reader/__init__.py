"""Readers of log directories as targets, which are asked about vectors in lines of JSON.

- `line_process`: a program that reads a line and writes a line; `hello`: what it says that it does
- `questions`: the vectors, as they are asked; each on a fresh copy of its files
- `judge`: an answer held against Kafka's; `runs`: all of it put to a program
- `reference_results`, `reference_reader`: the reference as such a program
- `tables`: a run, shown
"""
