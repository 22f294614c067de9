"""Readers of keys and values: what each makes of framings, and of what Kafka's serializers write.

- `questions`: the vectors, as they are asked
- `judge`: an answer held against the vector's; `causes`: what findings come from
- `kind`: the row of the table
"""
