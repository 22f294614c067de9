"""No mutant depends on how the text of the reference is formatted: all work on one written anew from its syntax."""

import ast
import subprocess
import sys
from pathlib import Path

import kafka_format
from kafka_format.spec import data

REFERENCE = Path(kafka_format.__file__).parent
CHECK = """
import kafka_format
from kafka_format.spec import data
from kafka_generator.mutants import families, report
from kafka_generator.mutants.kills import kills
from kafka_generator.mutants.questions import questions

print(kafka_format.__file__)
asked = {direction: {one.id: one for one in some} for direction, some in questions(data.path("vectors")).items()}
smallest = {one["id"]: one["smallest"] for one in report.read(data.path("vectors"))["mutants"]}
for mutant in families.load():
    if not kills(mutant, [asked[mutant.direction][smallest[mutant.id]]]):
        print(mutant.id, "survives")
"""


def test_mutants_do_not_depend_on_the_formatting_of_the_reference(tmp_path):
    package = tmp_path / "reference" / "kafka_format"
    for file in REFERENCE.rglob("*"):
        copy = package / file.relative_to(REFERENCE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".py":
            copy.write_text(ast.unparse(ast.parse(file.read_text(encoding="utf-8"))), encoding="utf-8")
        elif file.is_file():
            copy.write_bytes(file.read_bytes())
    for name in ("spec", "vectors"):
        (tmp_path / name).symlink_to(data.path(name))
    script = f"import sys; sys.path.insert(0, {str(package.parent)!r})\n{CHECK}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(package / "__init__.py")]
