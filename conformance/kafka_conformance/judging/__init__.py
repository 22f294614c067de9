"""The judge: from a target's reply and a vector's verdict to an outcome.

- `judge`: reply and verdict in, `result` out; `difference`: the first field that differs
- `encode_questions`, `encoded_fields`: what targets are asked to encode, and fields no record shows
- `delivery`: what a consumer's application got
- `message_question`, `messages`, `message_vectors`: requests and responses
"""
