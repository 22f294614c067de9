"""Vectors of log directories: folders and files, the rules they break, what Kafka makes of them.

- `case_logs`: logs and files put together; `directories`, `single_files`: the cases;
  `sound`, `changes`, `*_damage`: what the directories are made of
- `oracle`: Kafka's own classes, asked; `files`: the vectors as they are stored
- `mutants`: readers that are wrong on purpose; `kills`: the vectors that show it
"""
