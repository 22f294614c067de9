"""Numbers, varints and checksums: what every layout is made of."""
