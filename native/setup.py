"""Builds the extension for the limited API: one binary for every Python from 3.11 on."""

from pathlib import Path

from setuptools import Extension, setup

SOURCES = sorted(path.as_posix() for path in Path("source").glob("*.c"))
HEADERS = sorted(path.as_posix() for path in Path("source").glob("*.h"))

# Values have a few fields: what clears them in a loop must not become a call of memset.
FLAGS = ["-O3", "-fno-plt", "-fvisibility=hidden", "-fno-tree-loop-distribute-patterns"]

setup(
    ext_modules=[
        Extension(
            "kafka_format_native",
            SOURCES,
            depends=HEADERS,
            define_macros=[("Py_LIMITED_API", "0x030b0000")],
            extra_compile_args=FLAGS,
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
