"""Decoders and encoders of records: the vectors that are put to them, and what comes of each.

- `questions`: what is asked; `encode_questions`: which answers can be written, and how they are put
- `judge`: what a target read or wrote, held against the vector
- `kind`: the row of the table
"""
