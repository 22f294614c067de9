"""Whether the vectors kill: decoders that are wrong on purpose, one fault each, and the vectors that find each out.

A fault is the reference with one thing changed: a line of its source, or of the specification that it is compiled from.
So it does everything right but this. `declared` loads those that somebody wrote down, each after a bug that was found
in the wild or a likely misreading; `generated` makes more of every field of the layouts. `report` puts them all to the
vectors of their direction: a fault that no vector notices survives, which is a gap in the vectors.
"""
