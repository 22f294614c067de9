"""The judge: from a target's reply and a vector's verdict to an outcome.

Each kind has its own judge in `kinds`; here is what they share.

- `result`: what comes of one question; `difference`: the first field that differs
- `encoded_fields`, `miswritten`: fields that no record shows, and what an encoder does wrong
"""
