"""Mutants: references that are wrong in one thing on purpose, and the vectors that show it.

A mutant does everything right but this. `families` has those that somebody wrote down, each after a
bug that was found in the wild or a likely misreading; `layouts` makes more of every field of the
layouts. `report` puts them all to the vectors of their direction: a mutant that no vector kills is
a gap in the vectors.

What kills a mutant is in vectors/kills.json, with the bug reports that it is drawn from.
"""
