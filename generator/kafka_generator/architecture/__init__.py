"""The picture and the tables of docs/architecture.md, made from the code."""
