"""From findings to causes: which wrong decoder a target behaves like, by the kill table and the known findings."""
