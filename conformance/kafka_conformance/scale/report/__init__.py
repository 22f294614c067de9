"""A run as people see it: progress while it lasts, tables on the terminal, and a page of HTML."""
