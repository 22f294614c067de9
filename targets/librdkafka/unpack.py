"""Unpacks a release of confluent-kafka, whose wheels carry librdkafka: `unpack.py LOCK FOLDER`.

Only the C library of a wheel is used, so it does not matter which Python the wheel is for: wheels
of old releases are for old ones. No Python of that age is needed.
"""

import subprocess
import sys

_PYTHONS = ("3.11", "3.8", "3.6")


def main(lock: str, folder: str) -> int:
    """Unpack the wheel of the newest Python that there is one for; the exit status is pip's."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    for python in _PYTHONS:
        chosen = ["--only-binary", ":all:", "--no-deps", "--python-version", python, "--target", folder, "-r", lock]
        done = subprocess.run([*install, *chosen], check=False, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0:
            return 0
    sys.stderr.write(done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
