"""Where a vector's bytes can come from: a producer, a broker, damage, or somebody who crafts them.

`vectors/reach.yaml` declares what cannot be seen in the bytes; everything else is derived from
them, by `derive`.
"""
