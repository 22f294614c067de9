"""Makes what later runs find: an archive of the classes that Spark loads.

The archive (see `archive`) comes of a small job that loads the classes of a run, and the end of
Java.
"""

from pathlib import Path

from kafka_tools.errors import UsageError
from kafka_tools.spark import archive
from kafka_tools.spark import driver as spark


def archive_classes() -> Path:
    """Make the archive; return where it is. If that fails, a log is left beside it.

    Raises:
        UsageError: there is no place for it, Spark does not start, or Java wrote none.
    """
    home = spark.java()
    draft, options = archive.make(home)
    log = draft.with_suffix(".log")
    log.unlink(missing_ok=True)
    with spark.start_context("local[2]", home, log, options) as context:
        context.parallelize(range(8), 8).map(abs).count()
    if not draft.is_file():
        end = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:])
        raise UsageError(f"Java {home.version} wrote no archive. {end}", f"{archive.WITHOUT} Its log: {log}")
    log.unlink()
    return draft.replace(archive.file(home))
