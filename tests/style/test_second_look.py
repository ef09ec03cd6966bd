"""CI's rule for tests that fail beside others: those of tests/unsteady.txt may pass alone, and are named; any other has failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.platform.testing.outcome import Outcome, Tally
from deploy.platform.testing.second_look import known_unsteady, second_look
from deploy.platform.testing.stages import Stage

KNOWN = frozenset({"a", "b"})
TESTS = Path(__file__).parents[1]
PASSED_ALONE = Outcome("integration alone", True, 5.0, Tally(2, 0))


def stage_with(tmp_path: Path, *failed: str) -> Stage:
    junit = tmp_path / "integration.xml"
    cases = "".join(f'<testcase name="{name}"><failure/></testcase>' for name in failed)
    junit.write_text(f'<testsuites><testsuite><testcase name="good"/>{cases}</testsuite></testsuites>')
    return Stage("integration", ["pytest"], junit, alone=["pytest", "--last-failed"])


def first(failed: int, note: str = "exit code 1") -> Outcome:
    return Outcome("integration", False, 300.0, Tally(600, failed, 1), note)


def never(_: Stage) -> Outcome:
    raise AssertionError("nothing had to run again")


def test_what_passes_alone_is_named(tmp_path: Path) -> None:
    outcome = second_look(stage_with(tmp_path, "a", "b"), first(2), lambda _: PASSED_ALONE, KNOWN)
    assert outcome.ok and outcome.tally == Tally(602, 0, 1)
    assert "UNSTEADY" in str(outcome) and "a, b" in str(outcome)


def test_one_test_of_many_cases_has_one_line(tmp_path: Path) -> None:
    assert second_look(stage_with(tmp_path, "a[mysql-2]", "b[x]"), first(2), lambda _: PASSED_ALONE, KNOWN).ok


def test_what_is_not_on_the_list_has_failed(tmp_path: Path) -> None:
    assert second_look(stage_with(tmp_path, "a", "c"), first(2), never, KNOWN) == first(2)


def test_the_list_is_of_tests_that_there_are() -> None:
    """A line whose test is gone would let another test of that name be unsteady. The list only shrinks."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.glob("*/test_*.py"))
    assert not [name for name in known_unsteady() if f"def {name}(" not in sources]
    assert len(known_unsteady()) <= 5


def test_what_fails_alone_too_has_failed(tmp_path: Path) -> None:
    again = Outcome("integration alone", False, 5.0, Tally(1, 1), "exit code 1")
    assert second_look(stage_with(tmp_path, "a", "b"), first(2), lambda _: again, KNOWN) == first(2)


def test_what_did_not_run_alone_has_failed(tmp_path: Path) -> None:
    again = Outcome("integration alone", True, 5.0, Tally(1, 0))
    assert second_look(stage_with(tmp_path, "a", "b"), first(2), lambda _: again, KNOWN) == first(2)


@pytest.mark.parametrize("outcome", [first(0), first(1, "took more than 2400 s"), first(1, "exit code 2")])
def test_no_failures_and_other_ends_are_final(tmp_path: Path, outcome: Outcome) -> None:
    names = ["a"] if outcome.tally and outcome.tally.failed else []
    assert second_look(stage_with(tmp_path, *names), outcome, never, KNOWN) == outcome


def test_a_good_run_is_left_alone(tmp_path: Path) -> None:
    good = Outcome("integration", True, 300.0, Tally(600, 0))
    assert second_look(stage_with(tmp_path), good, never, KNOWN) == good
