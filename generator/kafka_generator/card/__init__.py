"""The report card: what is found in a client, when it can happen, and what follows, by rules.

`moments` says when bytes occur, `harms` what a bug does to data, `verdicts` what both mean for a
client, `clients` collects the bugs of each, `languages` says a sentence for each language. All
words and their order stand in rules.yaml.
"""
