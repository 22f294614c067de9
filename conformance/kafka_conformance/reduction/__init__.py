"""Makes an input smaller (fewer records, no codec, small fields) while a target fails on it.

- `search`: the one search: asks about ever smaller trees, and finds what matters in the smallest
- `shrink`: which trees are tried, and in which order
- `tree`: bytes to a tree and back; the parts of a tree that are not at their simplest
- `entries`, `requests`: what a tree stands for: record batches and messages, with a fault or
  without one; requests and responses
- `judged_bytes`: bytes with the verdict of the reference
- `asker`: a target that is asked about one input at a time
- `valid`: a valid vector made small

`findings` does so with what no signature explains, `scale.reduce` with what a run of millions
of batches found.
"""
