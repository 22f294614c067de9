from pathlib import Path

import pytest
from kafka_generator.architecture.count import House, count, floors, imports

FILES = {
    "__init__.py": "",
    "cellar.py": '"""One."""\n\nSIZE = 1\n',
    "hall/__init__.py": "from toyhouse.hall import door\n",
    "hall/door.py": "from toyhouse.cellar import SIZE\n",
    "hall/window.py": "import toyhouse.cellar\n",
    "roof.py": "from toyhouse import cellar, hall\n",
    "shed.py": "",
    "hall/door.pyi": "SIZE: int\n",
}


@pytest.fixture
def toyhouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, text in FILES.items():
        file = tmp_path / "toyhouse" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "toyhouse"


def test_rooms_floors_arrows_and_lines_are_counted(toyhouse: str):
    assert count(toyhouse) == House(rooms=4, floors=3, arrows=3, lines=7)


def test_imports_within_a_room_are_no_arrows(toyhouse: str):
    assert imports(toyhouse)["toyhouse.hall"] == {"toyhouse.cellar"}


def test_a_package_that_is_not_there_has_no_numbers():
    assert count("no_such_house") is None


def test_floors_are_those_of_the_longest_way():
    arrows = {"a": "b d", "b": "c", "c": "d", "d": "", "e": ""}
    assert floors({name: frozenset(below.split()) for name, below in arrows.items()}) == 4
