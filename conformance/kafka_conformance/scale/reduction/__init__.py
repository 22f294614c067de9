"""A finding made small: fewer records, smaller fields, no codec, and the target still fails in the same way.

A generated batch of twenty records hides what is wrong in it. Here it becomes a tree of plain values, parts of the tree
are left out or made simpler, each candidate is written anew and put to the target, and what still fails is kept. The
reference says what every candidate means, so a reduced finding is a batch with a known answer: it can become a golden
vector. What the target is right without is the cause, and findings of one cause are shown as one.

- `model`: bytes to a tree and back; `shrinking`: which candidates, in which order; `telling`: what is left to say;
- `asking`: the target's word on bytes, also when it dies of them; `searching`: smaller bytes, and why it fails;
- `reducing`: one finding from beginning to end; `reduced`: what comes of it, as data;
- `choosing`: which findings of a run, and the file that keeps what came of them; `grouping`: those of one cause;
- `showing`, with `describing`: the same for people;
- `promotion`: a reduced finding as a case for the golden vectors; `proposing`: which rules it is about.
"""
