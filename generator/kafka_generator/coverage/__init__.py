"""What the vectors cover, measured: every cell of every kind, and the vectors that lie in it.

A cell is one thing that some vector should show: a rule kept, a field at its limit, a bit set. Each
kind has a module that says which cells there are, from the specification and not from the vectors,
and finds the vectors of each. A cell that cannot have one says why. `generate.py --coverage` prints
the tables and fails if a cell is empty.
"""
