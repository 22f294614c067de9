"""What bytes are, as the command line says it: the table that the page is held to, too."""

from pathlib import Path

import pytest
import yaml

from tests.command_line import Main

CASES = yaml.safe_load((Path(__file__).parents[2] / "recognised.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CASES)
def test_bytes_are_named_and_what_is_missing_is_counted(main: Main, name: str) -> None:
    case = CASES[name]
    status, out, err = main("explain", "--hex", case["hex"])
    said = " ".join(err.split())
    if not case["title"]:
        assert (status, said[:16]) == (1, "Not recognised: ")
        return
    assert said == "" or f"It is read as {case['title']}" in said
    is_whole = "start of" not in said and not case["missing"] and "wrong" not in name
    assert status == (0 if is_whole and "gzip" not in name else 1)
    missing, plural = case["missing"], "" if case["missing"] == 1 else "s"
    assert not missing or f"{missing} byte{plural} " in out or f"cut: {missing} of its " in out
    assert ("(doubted: the checksum is wrong)" in out) == ("wrong" in name)


def test_what_is_in_front_of_a_frame_is_shown_too(main: Main) -> None:
    half_a_size = "000012"
    status, out, err = main(
        "explain", "--hex", half_a_size + "67800000 0000 0000010001 6c0000 00018000".replace(" ", "")
    )
    assert status == 0
    assert "from byte 3 on" in " ".join(err.split())
    first, second = out.splitlines()[1:3]
    assert first.split()[:4] == ["0", "00", "00", "12"]
    assert second.split()[:5] == ["3", "67", "80", "00", "00"]
