"""CI's stages that compute run beside the next one that waits: at the lowest priority, none is left out, and none outlives the run."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

from deploy.platform.testing import runner
from deploy.platform.testing.beside import Beside
from deploy.platform.testing.stages import Stage
from deploy.platform.testing.workers import room
from tests.support.wait import LONG_ENOUGH, wait_for


def stage(name: str, *, is_beside: bool = False, script: str = "true") -> Stage:
    return Stage(name, ["bash", "-c", script], beside=is_beside)


def test_both_are_under_way_at_once_and_all_end() -> None:
    begun, carried_out = Event(), []

    def carry_out(one: Stage) -> None:
        begun.set()
        carried_out.append(one.name)

    with Beside(carry_out) as beside:
        beside.start(stage("a"))
        beside.start(stage("b"))
        assert begun.wait(LONG_ENOUGH)
    assert carried_out == ["a", "b"]


def test_what_a_stage_needs_has_ended_before_it() -> None:
    go_on, carried_out = Event(), []

    def carry_out(one: Stage) -> None:
        assert one.name == "a" or go_on.wait(LONG_ENOUGH)
        carried_out.append(one.name)

    with Beside(carry_out) as beside:
        beside.start(stage("a"))
        beside.start(stage("b"))
        beside.wait_for(["another", "a"])
        assert carried_out == ["a"]
        go_on.set()


def test_a_mistake_of_ours_is_not_swallowed() -> None:
    def carry_out(_: Stage) -> None:
        raise ValueError

    with pytest.raises(ValueError):
        with Beside(carry_out) as beside:
            beside.start(stage("a"))


def test_it_yields(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert runner.run(stage("a", is_beside=True, script="nice"), log, tmp_path).ok
    assert log.read_text() == "19\n"


def test_a_run_that_is_broken_off_leaves_nothing_behind(tmp_path: Path) -> None:
    outcomes, begun = [], tmp_path / "begun"
    endless = stage("a", script=f"touch {begun}; sleep 1000")
    with pytest.raises(KeyboardInterrupt):
        with Beside(lambda one: outcomes.append(runner.run(one, tmp_path / one.name, tmp_path))) as beside:
            beside.start(endless)
            beside.start(stage("b"))
            wait_for(begun.exists, "the first stage to run")
            raise KeyboardInterrupt
    assert [(one.stage, one.ok) for one in outcomes] == [("a", False)]


@pytest.mark.parametrize("free,expected", [(20.0, True), (11.5, True), (11.4, False), (4.0, False)])
def test_only_where_there_is_memory_for_both(free: float, expected: bool) -> None:
    assert room(2, free) is expected
