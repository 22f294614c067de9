"""Mutants of the protocol and its vectors: those of `families`, and those of every field.

There are 40,000 vectors, so of each mutant only the smallest vector that kills it is looked for,
and of the mutants that are made of fields only their number is kept.
"""
