"""Makes what later runs find: an archive of the classes that Spark loads, and the sampler's machine code.

The archive (see `archive`) comes of a small job that loads the classes of a run, and the end of Java. Machine code
needs numba.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from kafka_format import machine_code

from kafka_conformance.errors import UsageError
from kafka_conformance.scale import archive, spark


def archive_classes() -> Path:
    """Make the archive; return where it is.

    Raises:
        UsageError: Java wrote none.
    """
    home = spark.java()
    made = archive.file(home)
    made.unlink(missing_ok=True)
    with TemporaryDirectory(prefix="kafka-conformance-") as folder:
        log = Path(folder) / "spark.log"
        with spark.started("local[2]", home, log, archive.make(home)) as context:
            context.parallelize(range(8), 8).map(abs).count()
        if not made.is_file():
            end = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:])
            raise UsageError(f"Java {home.version} wrote no archive. {end}", "Runs work without it as well.")
    return made


def compile_loops() -> bool:
    """Compile what is not compiled yet; false if there is no numba to do so."""
    return machine_code.load()
