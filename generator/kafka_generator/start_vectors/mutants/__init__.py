"""Readers of starts that are wrong in one thing on purpose: what a variant must show.

They are declared as the mutants of records are (`kafka_generator.mutants.families`), and patch the
reference with the same `Patch`.
"""
