"""What goes over the pipe between the suite and an adapter, as bytes.

- `frames`: a length, a kind, the bytes; `messages`: what the frames say
- `hello`: what a target declares; `answers`: records as bytes
"""
