"""Log directories: segments, indexes, snapshots, checkpoints, as a broker keeps them on its disk.

- `names`: what the names of files and folders say
- `text`: the files that are text
"""
