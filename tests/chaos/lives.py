"""Our processes live and die by the plan: at failpoints, by SIGKILL, by SIGTERM, and frozen in between."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Sequence

from tests.chaos.plan import Life
from tests.chaos.story import Story
from tests.support.program import Program

LOOK_EVERY = 0.04      # seconds: our own looking shall not be what keeps the machine busy
AFTER_GIVING_UP = 0.5  # a supervisor would wait longer
ASK_EVERY = 0.2        # whether it is ready
AT_WORK_WITHIN = 4.0   # what it may take to start, before its time begins all the same
TERM_WITHIN = 12.0     # amid faults; then SIGKILL, as Kubernetes does
GAVE_UP = 1            # exit code: only a new process can go on


class Supervisor(threading.Thread):
    """Runs one program through its lives until the story is over, then once more without failpoints."""

    def __init__(self, program: Program, lives: Sequence[Life], story: Story) -> None:
        super().__init__(name=program.label, daemon=True)
        self.program, self.lives, self.story = program, lives, story
        self.is_well = threading.Event()  # the last life has begun

    def run(self) -> None:
        try:
            for life in self.lives:
                self._live(life)
                if self.story.over.is_set():
                    break
            self.story.over.wait()
            self._end_for_good(life)
            self.program.start()
        except Exception as failure:  # noqa: BLE001 - shown in the verdict
            self.story.incident(f"{self.name} could not be supervised: {failure!r}")
        self.is_well.set()
        self.story.closed.wait()

    def _live(self, life: Life) -> None:
        program = self.program.start(life.failpoints)
        self.story.count(f"{self.tier} lives")
        deadline = time.monotonic() + life.lasts
        if not life.young:
            deadline += self._until_ready()
        while time.monotonic() < deadline and not self.story.over.is_set():
            if not program.running:
                return self._ended(life, asked=False)
            if life.action == "stop" and self._is_frozen():
                self._stay_frozen(life)
            program.ended_within(LOOK_EVERY)
        if self.story.over.is_set():
            return
        if life.ending == "freeze":
            program.pause()
            self._stay_frozen(life)
            self.story.pause(1.0)
        if life.ending == "term":
            return self._terminate(life)
        if program.running:
            program.kill()
            self.story.count("kill -9 by time")
        else:
            self._ended(life, asked=False)

    @property
    def tier(self) -> str:
        return self.program.name.removeprefix("sluice-")

    def _until_ready(self) -> float:
        """Seconds until it works, has ended, or its time begins all the same."""
        began = time.monotonic()
        while self.program.running and time.monotonic() - began < AT_WORK_WITHIN and not self._is_ready():
            self.story.pause(ASK_EVERY)
            if self.story.over.is_set():
                break
        return time.monotonic() - began

    def _is_ready(self) -> bool:
        try:
            return self.program.get("/readyz")[0] == 200
        except OSError:
            return False

    def _is_frozen(self) -> bool:
        try:
            return self.program.frozen
        except OSError:
            return False

    def _stay_frozen(self, life: Life) -> None:
        self.story.count(f"{self.tier} frozen")
        self.story.pause(life.frozen_for)
        self.program.resume()

    def _terminate(self, life: Life) -> None:
        self.program.ask_to_stop()
        if self._await_end(TERM_WITHIN):
            return self._ended(life, asked=True)
        self.program.kill()
        self.story.count("SIGTERM took too long")

    def _await_end(self, within: float) -> bool:
        deadline = time.monotonic() + within
        while self.program.running and time.monotonic() < deadline:
            if self._is_frozen():  # a failpoint of the shutdown
                self.program.resume()
            self.program.ended_within(LOOK_EVERY)
        return not self.program.running

    def _ended(self, life: Life, *, asked: bool) -> None:
        """Every end has to be one that the plan or the contract of the program explains."""
        code = self.program.exit_code
        self.program.wait_end()
        if code == -signal.SIGKILL and life.action == "kill":
            self.story.crashed(life.failpoint)
        elif asked and code in (0, -signal.SIGTERM):  # the latter: it came before anybody listened for it
            self.story.count("SIGTERM")
        elif code == GAVE_UP and self.tier == "consumer":
            self.story.count("consumer gave up")
            self.story.pause(AFTER_GIVING_UP)
        else:
            self.story.incident(f"{self.name} ended with code {code} in a life of: {life}\n{self.program.story()}")

    def _end_for_good(self, life: Life) -> None:
        """Whatever this life would still have done: the next one has no failpoints."""
        self.program.resume()
        if life.several:  # what is away or slow would be waited for
            self.program.end_by_force()
        if self.program.running:
            self._terminate(life)
