"""What was recorded of runs, in docs/recorded: one form for every kind of target.

`results` reads it, `record` writes it from the reports of runs. Pages and the site are views of it.
"""
