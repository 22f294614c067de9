"""Findings made small: fewer records, smaller fields, no codec, and the target fails as before.

A generated batch of twenty records hides what is wrong with it. It is taken apart into a tree of
plain values. Values are left out or made simpler, each candidate is written and given to the
target, and a candidate that it still fails on is kept. The reference judges every candidate, so a
reduced finding is a batch with a known answer that can become a golden vector. The cause is what
must be removed for the target to answer correctly.

The search itself stands in `kafka_conformance.reduction`.

- `search`, `message_search`: one finding, from the generated batch or message to the smallest
- `run`: the findings of a run, most frequent first, for as long as there is time
- `rule_proposals`: the rules that a reduced finding may be about
- `text`: reduced findings on the screen and the page
"""
