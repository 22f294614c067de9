"""Layouts in, encoders and decoders out: the compiler, the interpreter, and their checks.

- `compiler`: a layout as a Python module; `interpreter`: a layout walked field by field
- `checks`: the error of each check; `readings`: quick reading, then careful
- `structures`: compiled structures by name; `prefix`: fields at fixed places; `edits`: one field
  changed, and all else put right
"""
