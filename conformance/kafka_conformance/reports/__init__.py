"""A run, shown: at a terminal, and as a folder of files for people, programs and build servers."""
