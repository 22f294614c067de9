"""A finding made small: fewer records, smaller fields, no codec, and the target still fails in the same way.

A generated batch of twenty records hides what is wrong in it. Here it becomes a tree of plain values, parts of the tree
are left out or made simpler, each candidate is written anew and put to the target, and what still fails is kept. The
reference says what every candidate means, so a reduced finding is a batch with a known answer: it can become a golden
vector.

- `model`: bytes to a tree and back; `shrinking`: which candidates, in which order;
- `asking`: the target's word on bytes, also when it dies of them; `reducing`: one finding from beginning to end;
- `choosing`: which findings of a run, and the file that keeps what came of them;
- `showing`: the same for people; `promotion`: a reduced finding as a case for the golden vectors.
"""
