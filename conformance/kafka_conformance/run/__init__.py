"""Runs of many targets and many vectors: targets are asked, judged, compared and timed.

- `runner`: targets and vectors in, `run` out, with its `header` and its `target`s
- `target_run`: one target; `questions`: which kinds of questions, and about which vectors
- `retry`: findings asked a second time; `reduction`: unexplained ones made small
- `known_failures`, `known_failures_update`: findings that are expected
- `comparison`: an earlier run; `exit_status`: what a run comes to
- `smoke`: a first look at an adapter; `bench`, `timed_target`, `workloads`: speed
"""
