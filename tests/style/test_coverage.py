"""How `./run test --coverage` adds up."""

from __future__ import annotations

from deploy.platform.testing import coverage


def file(covered: int, count: int) -> dict:
    return {what: {"count": count, "covered": covered} for what in coverage.BARS}


def test_the_total_is_of_lines_and_not_of_files() -> None:
    whole = coverage.total({"a.cpp": file(90, 100), "b.cpp": file(0, 10)})
    assert whole["lines"] == {"count": 110, "covered": 90}
    assert round(coverage.share(whole, "branches"), 1) == 81.8


def test_a_file_without_branches_lacks_none() -> None:
    assert coverage.share(file(0, 0), "branches") == 100.0
