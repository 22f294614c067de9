"""The whole story, as a newcomer lives it. Read this test first.

Somebody has a decoder. They copy the template of its language, put the decoder behind it, ask
whether the adapter is right, run the vectors, and look into the report. The decoder of this story
is the reference with one mistake: it loses the last record of every batch of three.
"""

import json
import subprocess
import sys
from pathlib import Path

MINE = """
from kafka_format import records
from python_adapter import Record, serve


def decode(data):
    decoded = [record for record in records.decode(data) if not record.control]
    if len(decoded) == 3:
        decoded = decoded[:2]  # the mistake
    for record in decoded:
        yield Record(record.offset, record.timestamp, record.timestamp_type, record.key, record.value)


serve(
    {
        "name": "mine",
        "version": "1.0",
        "language": "Python",
        "formats": ["v2"],
        "codecs": ["none"],
        "fields": ["offset", "timestamp", "key", "value"],
        "checks_crc": True,
    },
    decode,
)
"""


def kafka_conformance(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Type the command in a folder, far from the repository."""
    command = [sys.executable, "-m", "kafka_conformance", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)


def test_from_the_template_to_the_first_finding(tmp_path: Path) -> None:
    # Copy the template for the language of your decoder, and write the few lines that are yours.
    template = kafka_conformance(tmp_path, "adapter", "--template", "decoder", "--language", "python")
    assert template.returncode == 0, template.stderr
    (tmp_path / "python_adapter.py").write_text(template.stdout, encoding="utf-8")
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    target = f"cmd:{sys.executable} mine.py"

    # Is the adapter right? The first look says so, step by step.
    smoke = kafka_conformance(tmp_path, "smoke", target)
    assert smoke.returncode == 0, smoke.stdout + smoke.stderr
    assert all(line.startswith("ok ") for line in smoke.stdout.splitlines())

    # Is the decoder? Exit status 1 means: there are findings.
    run = kafka_conformance(tmp_path, "run", target, "--vectors", "v2/offset/*", "--report", "out")
    assert run.returncode == 1, run.stdout + run.stderr

    # The report says which vectors, and what is wrong with each.
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    findings = [result for result in report["results"] if result["outcome"] not in {"passed", "unsupported"}]
    assert findings
    assert {result["outcome"] for result in findings} == {"wrong-answer"}
    assert {(result["path"], result["expected"], result["got"]) for result in findings} == {
        ("records", "3 records", "2 records")
    }
    assert (tmp_path / "out" / "html" / "index.html").is_file()

    # Mended, the same run finds nothing.
    (tmp_path / "mine.py").write_text(MINE.replace("decoded[:2]", "decoded"), encoding="utf-8")
    again = kafka_conformance(tmp_path, "run", target, "--vectors", "v2/offset/*")
    assert again.returncode == 0, again.stdout + again.stderr
