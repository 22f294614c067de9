"""Kafka's own message schemas, and the layouts of spec/layouts/protocol beside them.

`jars` finds the schemas and `schema` reads them; `lineage` puts those of all releases together.
`takeover` wrote the layouts out of them, and writes those that a new release brings. `compare`
shows that the layouts still say what the schemas say, and `facts` does so where there are no jars.
"""
