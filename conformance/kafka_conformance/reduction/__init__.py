"""Makes bytes smaller (fewer records, smaller fields, no codec) while a target still fails on them.

- `tree`: bytes to a tree and back; the parts of a tree that are not at their simplest
- `shrink`: which candidates are tried, and in which order
- `asker`: a target that is asked about one input at a time, and the reference that judges the
  input
- `valid`: valid bytes that a target fails on, made as small as they go, and the fields that matter

`runs.reduction` does so with what no signature explains, `scale.reduce` with what a run of millions
of batches found.
"""
