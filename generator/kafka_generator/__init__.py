"""How the golden vectors are made: case tables and found examples in, judged vectors out.

The way of a vector: `cases` reads a table, `build` makes its bytes (compressed payloads come from
the store of `payloads`), `judge` asks the reference and the interpreter, `oracle` adds what Apache
Kafka's own classes said, and `files` writes it, or refuses to.
"""
