"""How the vectors of the further directions are made: deliver, assign and convert.

Decoding is one direction; what a consumer delivers, what a broker assigns and what it converts are
others. Their cases are tables like those of the decode vectors, with the bytes built in the same
way, and with what must come of them written by hand. A vector is written only if the reference and
every release of Kafka that can be asked do just that.
"""
