"""Integration tests side by side: a worker that is free takes the longest file that is left, and the table of long ones is of files that there are."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from tests.support.longest_first import LongestFirst, expected, measured

INTEGRATION = Path(__file__).parents[1] / "integration"
TABLE = INTEGRATION / "long_files.txt"


class Worker:
    def __init__(self) -> None:
        self.given: list[int] = []

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.given += numbers


def order_of(files: dict[str, int], seconds: dict[str, float]) -> list[str]:
    worker = Worker()
    names = [f"tests/{name}::test_{number}" for name, tests in files.items() for number in range(tests)]
    scheduler = LongestFirst.__new__(LongestFirst)
    scheduler.seconds = seconds
    scheduler.assigned_work = {worker: {}}
    scheduler.registered_collections = {worker: names}
    scheduler.workqueue = OrderedDict((f"tests/{name}", {one: False for one in names if f"/{name}:" in one}) for name in files)
    while scheduler.workqueue:
        scheduler._assign_work_unit(worker)
    assert sorted(worker.given) == list(range(len(names)))
    return list(scheduler.assigned_work[worker])


def test_the_longest_is_next() -> None:
    assert order_of({"a.py": 1, "b.py": 3, "c.py": 2}, {"a.py": 50.0, "c.py": 0.1}) == ["tests/a.py", "tests/b.py", "tests/c.py"]


def test_a_file_that_was_not_measured_counts_by_its_tests() -> None:
    assert expected("tests/integration/test_b.py", 30, {"test_a.py": 9.0}) == 60.0
    assert expected("tests/integration/test_a.py", 30, {"test_a.py": 9.0}) == 9.0


def test_the_table_is_of_files_that_there_are() -> None:
    seconds = measured(TABLE)
    assert seconds and not [name for name in seconds if not (INTEGRATION / name).exists()]
