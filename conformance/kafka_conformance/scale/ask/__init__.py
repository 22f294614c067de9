"""One target and blocks of thousands of generated batches: asked, compared, judged.

- `checker`: the target over many blocks, whichever way it is asked;
- `isolated`: the way of Python targets, which decode in a forked child; `piped`: the way of all
  others, with `search` for the batch on which the target was lost;
- `portion`: batches that are put together, and what came of them;
- `block_frames`: requests and replies as bytes; `comparison`: what is due, held against what came;
  `judging`: what the target said of a batch that is not proven right;
- `skipping`: batches that are not put, because others like them have killed the target.
"""
