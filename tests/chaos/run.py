"""One run: the plan is carried out, everything heals and drains, and one checker looks at what is left."""

from __future__ import annotations

import json
import re
import shutil
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from tests.chaos import checker, facts
from tests.chaos.cut_log import lost_records
from tests.chaos.lanes import LaneRunner
from tests.chaos.listing import way_of
from tests.chaos.lives import Supervisor
from tests.chaos.plan import Plan
from tests.chaos.provider import ChaosProvider
from tests.chaos.site import LATE_PATH, Site
from tests.chaos.story import Story
from tests.chaos.watch import Watch
from tests.chaos.workload import Workload
from tests.support.events import CANARY
from tests.support.pipeline import PATH
from tests.support.program import Program
from tests.support.lanes import expect_lanes_at_rest
from tests.support.wait import wait_for

MOST_UNANSWERED = 400    # deliveries under way: the workload waits then
HEALED_WITHIN = 400.0    # seconds
ANSWERED_WITHIN = 180.0
CAUGHT_UP_WITHIN = 180.0


@dataclass
class Result:
    differences: list[str]
    story: Story
    hit: set[str]        # failpoints that were passed
    events: int          # different ones that were answered 2xx
    seconds: float       # in all
    starting: float      # seconds of them before the first event
    looked_up: int       # records that the watch found in MySQL while faults went on
    answers: dict[str, int]

    @property
    def verdict(self) -> str:
        return "unfinished" if self.story.is_unfinished else "different" if self.differences else "equal"


class Run:
    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        folder.mkdir(parents=True)
        (folder / "plan.json").write_text(plan.as_json() + "\n")
        self.story = Story()

    def carry_out(self) -> Result:
        began = time.monotonic()
        self.site = site = Site(self.plan, self.folder)
        self.provider = ChaosProvider([program.port for program in site.ingresses], site.pipeline.secret, PATH, self.plan.seed, LATE_PATH)
        self.watch = Watch(site, self.story)
        try:
            self._hurt()
            self._heal_and_drain()
            found = facts.collect(site, self.provider.told, self.story.incidents)
            differences = checker.differences(found)
            self.story.count("records gone with the end of a log", len(lost_records(found)))
        except AssertionError as late:
            differences = [*self.story.incidents, f"it does not heal: {late}", *self._stories()]
        except Exception:  # noqa: BLE001 - a harness that fails says so as loudly as a product that does
            self.story.failed(f"the run itself failed:\n{traceback.format_exc()}")
            differences = list(self.story.incidents)
        finally:
            self.story.over.set()
            self.story.closed.set()
            site.close()
        hit = set().union(*(program.hit_failpoints() for program in site.programs.values()))
        return Result(differences, self.story, hit, len(self.provider.told.accepted), time.monotonic() - began,
                      self.story.began - began, self.watch.looked_up, dict(sorted(self.provider.told.answers.items())))

    def _hurt(self) -> None:
        self.story.began = time.monotonic()
        self.supervisors = [Supervisor(program, self.plan.lives[label], self.story)
                            for label, program in self.site.programs.items()]
        self.lanes = [LaneRunner(lane, self.plan.of_lane(lane), self.site, self.story) for lane in self.plan.lanes]
        for thread in (*self.supervisors, *self.lanes, self.watch):
            thread.start()
        self._send()
        self.story.over.set()

    def _send(self) -> None:
        workload = Workload(self.plan, created=int(time.time()))
        number = 0
        while self.story.now < self.plan.seconds and not self.story.incidents:
            due = int(self.story.now * self.plan.rate)
            while number < due and self.provider.unanswered < MOST_UNANSWERED and self.watch.behind < self.plan.backlog:
                self._tell(workload)
                number += 1
            number = max(number, due - self.plan.rate)  # what could not be sent in time is not sent at all
            self.story.pause(0.01)

    def _tell(self, workload: Workload) -> None:
        """By webhook, by the list, or both."""
        if (listing := self.site.listing) is None:
            return self.provider.send(workload.next_webhook())
        workload.created = int(listing.now)
        webhook = workload.next_webhook()
        way = way_of(self.plan, webhook)
        if way.is_listed:
            listing.tell(webhook.event, way)
            self.story.count("events listed")
        if way.is_sent:
            self.provider.send(webhook)

    def _heal_and_drain(self) -> None:
        deadline = time.monotonic() + HEALED_WITHIN
        for thread in (*self.lanes, *self.supervisors):
            assert thread.is_well.wait(max(0.0, deadline - time.monotonic())), f"{thread.name} is still broken"
        assert not self.story.incidents, "an incident before the end"
        for program in self.site.programs.values():
            wait_for(lambda program=program: program.running and program.get("/readyz")[0] == 200,
                     f"{program.label} to be ready", HEALED_WITHIN)
        self.provider.finish(ANSWERED_WITHIN)
        self.provider.end()
        if listing := self.site.listing:
            wait_for(lambda: self.site.walked_to() == listing.shown.last, "the walk to be at the newest event of the list", CAUGHT_UP_WITHIN)
        self.site.pipeline.expect_caught_up(CAUGHT_UP_WITHIN)
        expect_lanes_at_rest(self.site.pipeline, CAUGHT_UP_WITHIN)
        self.site.receiver_is_well = True
        wait_for(self._all_messages_are_sent, "all messages to be sent", CAUGHT_UP_WITHIN)
        self.watch.end()
        for program in self.site.programs.values():
            program.ask_to_stop()
        for program in self.site.programs.values():
            code = program.wait_end()
            if code != 0:
                self.story.incident(f"{program.label} ended with {code} after SIGTERM\n{program.story()}")
            self._expect_nothing_secret(program)

    def _all_messages_are_sent(self) -> bool:
        """Refused ones are sent again by an operator, since their receiver takes them now; then goes what waits behind them."""
        if refused := self.site.messages("state = 'refused'"):
            done = self.site.pipeline.ctl("outbox", "retry", "--everything", "--apply", "--operator", "kim", "--reason", "it takes them now")
            assert done.returncode == 0, f"{refused} refused messages: {done.stdout}{done.stderr}"
            self.story.count("refused messages sent", refused)
        return self.site.messages("slot IS NOT NULL") == 0

    def _expect_nothing_secret(self, program: Program) -> None:
        said = program.out.read_text(errors="replace") + program.errors()
        told = [text for text in (self.site.pipeline.secret, CANARY) if text in said]
        if told := told + sorted(self.provider.signatures & digests_in(said)):
            self.story.incident(f"{program.label} said something secret in its log: {told[0][:12]}… in {program.out}")

    def _stories(self) -> list[str]:
        return [program.story(8) for program in self.site.programs.values()]


def digests_in(text: str) -> set[str]:
    """Every 64 hex digits in a row: one reading of a long log, however many signatures are looked for."""
    return {run[at:at + 64] for run in re.findall("[0-9a-f]{64,}", text) for at in range(len(run) - 63)}


def report(result: Result, folder: Path) -> None:
    story = result.story
    print(f"{result.events} events answered 2xx; {result.looked_up} records looked up while faults went on; "
          f"{result.seconds:.0f} s in all, {result.starting:.0f} s of them to start")
    print("answers:", json.dumps(result.answers))
    print("faults: ", json.dumps(dict(sorted(story.counts.items()))))
    print("crashes:", json.dumps(dict(sorted(story.crashes.items()))))
    if result.differences:
        (folder / "differences.txt").write_text("\n".join(result.differences) + "\n")
        print(f"{len(result.differences)} differences (differences.txt); the first:\n  {result.differences[0]}")


def clean_up(folder: Path) -> None:
    """After a good run only the plan is worth keeping."""
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.name != "plan.json":
            entry.unlink()

