"""From findings to causes: which wrong decoder a target behaves like, of mutants and known bugs."""
