import ast
import re
from pathlib import Path

import pytest
from kafka_format import structure
from kafka_generator import compiled_samples


@pytest.mark.parametrize("name", compiled_samples.LAYOUTS)
def test_a_sample_is_the_compiled_text_behind_a_comment(name: str):
    text = compiled_samples.text(structure(name))
    assert text.endswith(structure(name).source.strip() + "\n")
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(structure(name).source))


@pytest.mark.parametrize("name", compiled_samples.LAYOUTS)
def test_every_run_of_integers_is_explained(name: str):
    text = compiled_samples.text(structure(name))
    assert set(re.findall(r"\bGROUP_\d+\.", text)) <= {f"{group}." for group in re.findall(r"# +(GROUP_\d+) =", text)}


def test_each_layout_has_a_file():
    assert [path.name for path in compiled_samples.files(Path("docs"))] == ["record_batch.py", "record.py"]
