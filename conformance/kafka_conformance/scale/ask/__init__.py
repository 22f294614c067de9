"""One target and blocks of thousands of generated batches: asked, compared, judged.

- `checker`: the target over many blocks, whichever way it is asked;
- `isolated_target`: the way of Python targets, which decode in a forked child; `piped_target`: the
  way of all others, with `search` for the batch on which the target was lost;
- `portion`: batches that are put together, and what came of them;
- `block_frames`: requests and replies as bytes; `comparison`: the expected replies, compared with
  those that came; `judge`: the outcome of a reply that differs;
- `fatal_faults`: faults that have killed the target so often that batches with them are skipped.
"""
