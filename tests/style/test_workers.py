"""How many files of integration tests run side by side: by cores and memory, never one, never more than have ports."""

from __future__ import annotations

import pytest

from deploy.platform.testing.workers import available, here, workers


@pytest.mark.parametrize("cores,free,expected", [(2, 22.0, 4), (2, 7.4, 2), (2, 3.0, 2), (1, 22.0, 2), (4, 22.0, 6), (4, 11.0, 4), (16, 60.0, 6), (16, 0.5, 2)])
def test_cores_and_memory_say_how_many(cores: int, free: float, expected: int) -> None:
    assert workers(cores, free) == expected


def test_memory_is_what_could_be_had() -> None:
    assert available("MemTotal:       8388608 kB\nMemFree:        1 kB\nMemAvailable:   3145728 kB\n") == 3.0
    assert here() >= 2
