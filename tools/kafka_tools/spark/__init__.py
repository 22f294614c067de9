"""Spark, started quickly and quietly, and the files, jobs and progress of what runs on it."""
