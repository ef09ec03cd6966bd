"""The order of every run: faults go on, everything heals, a checker looks at what is left, all is closed."""

from __future__ import annotations

import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from tests.chaos.commands.plan import CommandPlan
from tests.chaos.lanes import LaneRunner
from tests.chaos.lives import Supervisor
from tests.chaos.plan import Plan
from tests.chaos.story import Story
from tests.support.wait import wait_for

HEALED_WITHIN = 400.0  # seconds


@dataclass
class Result:
    differences: list[str]
    story: Story
    hit: set[str]        # failpoints that were passed
    seconds: float       # in all
    starting: float      # seconds of them before the first event
    events: int          # different ones that were answered 2xx
    looked_up: int       # records that somebody found while faults went on
    answers: dict[str, int]

    @property
    def verdict(self) -> str:
        return "unfinished" if self.story.is_unfinished else "different" if self.differences else "equal"


class Course:
    """One plan, carried out once, on the main thread. A kind of run says what is in each step: `set_up` makes the site, `hurt` ends when
    the faults are over, then come `heal`, `differences` and `met`, which are events, looked_up and answers of the result."""

    def __init__(self, plan: Plan | CommandPlan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        folder.mkdir(parents=True)
        (folder / "plan.json").write_text(plan.as_json() + "\n")
        self.story = Story()

    def carry_out(self) -> Result:
        began = time.monotonic()
        self.site = self.set_up()
        try:
            self.hurt()
            self.story.over.set()
            self.heal()
            differences = self.differences()
        except AssertionError as late:
            differences = [*self.story.incidents, f"it does not heal: {late}", *(one.story(8) for one in self.site.programs.values())]
        except Exception:  # noqa: BLE001 - a harness that fails says so as loudly as a product that does
            self.story.failed(f"the run itself failed:\n{traceback.format_exc()}")
            differences = list(self.story.incidents)
        finally:
            self.story.over.set()
            self.story.closed.set()
            self.site.close()
        hit = set().union(*(program.hit_failpoints() for program in self.site.programs.values()))
        return Result(differences, self.story, hit, time.monotonic() - began, self.story.began - began, *self.met())

    def start(self, *others: threading.Thread) -> None:
        """The faults, and `others` beside them."""
        self.story.began = time.monotonic()
        supervisors = [Supervisor(program, self.plan.lives[label], self.story) for label, program in self.site.programs.items()]
        lanes = [LaneRunner(lane, self.plan.of_lane(lane), self.site, self.story) for lane in self.plan.lanes]
        self._breaking = [*lanes, *supervisors]
        for thread in (*self._breaking, *others):
            thread.start()

    def await_well(self) -> None:
        deadline = time.monotonic() + HEALED_WITHIN
        for thread in self._breaking:
            assert thread.is_well.wait(max(0.0, deadline - time.monotonic())), f"{thread.name} is still broken"
        assert not self.story.incidents, "an incident before the end"
        for label, program in self.site.programs.items():
            wait_for(lambda program=program: program.running and program.get("/readyz")[0] == 200, f"{label} to be ready", HEALED_WITHIN)
