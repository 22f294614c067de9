"""Layouts in, encoders and decoders out: the compiler, the interpreter, and their checks."""
