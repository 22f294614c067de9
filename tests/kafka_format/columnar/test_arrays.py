"""The block of memory that columns share."""

import numpy as np
import pytest
from kafka_format.columnar.arrays import allocate

HUGE_PAGE = 2 << 20  # of x86-64, and of arm64 with pages of 4 KiB


@pytest.mark.parametrize("count", [0, 1, 1000, 200_000, 1_000_000])
def test_columns_stand_side_by_side_and_do_not_overlap(count: int) -> None:
    columns = allocate(count, {"small": np.int8, "large": np.int64, "middle": np.int32})
    for number, column in enumerate(columns.values()):
        column[:] = number
    assert {name: column.itemsize for name, column in columns.items()} == {"small": 1, "large": 8, "middle": 4}
    for number, column in enumerate(columns.values()):
        assert column.size == count
        assert (column == number).all()


def test_a_large_block_begins_with_a_huge_page() -> None:
    assert allocate(200_000, {"offset": np.int64})["offset"].ctypes.data % HUGE_PAGE == 0


def test_a_small_block_takes_no_more_than_its_columns() -> None:
    assert allocate(1000, {"offset": np.int64, "key": np.int32})["offset"].base.size == 12_000
