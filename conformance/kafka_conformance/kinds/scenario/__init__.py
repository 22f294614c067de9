"""Brokers and their state: requests put in order, and answers held against those of Kafka.

- `questions`: scenarios in the newest and in the oldest versions; `steps`: a scenario as data
- `values`: placeholders, and what stands for them; `calls`: requests and answers in Kafka's names
- `walk`: goes through the steps with one broker; `session`: with a broker that may be lost
- `comparison`, `judge`, `causes`: what an answer lacks or says otherwise
"""
