"""The vectors of the protocol: every request, response, header and schema record in every version.

`shapes` puts versions together that have the same fields, `values` makes values that lie at the
edges, `pieces` writes them (without the reference's encoder), `faults` breaks one thing each,
`frames` adds the headers. `case` holds each against the reference, `oracle` has what Kafka's own
classes say, `cells` measures that nothing is missing.
"""
