"""One run: the plan is carried out, everything heals and drains, and one checker looks at what is left."""

from __future__ import annotations

import json
import re
import shutil
import time
from pathlib import Path

from tests.chaos import checker, facts
from tests.chaos.course import Course, Result
from tests.chaos.cut_log import lost_records
from tests.chaos.listing import way_of
from tests.chaos.provider import ChaosProvider
from tests.chaos.site import LATE_PATH, Site
from tests.chaos.watch import Watch
from tests.chaos.workload import Workload
from tests.support.events import CANARY
from tests.support.pipeline import PATH
from tests.support.program import Program
from tests.support.lanes import expect_lanes_at_rest
from tests.support.wait import wait_for

MOST_UNANSWERED = 400    # deliveries under way: the workload waits then
ANSWERED_WITHIN = 180.0  # seconds
CAUGHT_UP_WITHIN = 180.0


class Run(Course):
    def set_up(self) -> Site:
        site = Site(self.plan, self.folder)
        self.provider = ChaosProvider([program.port for program in site.ingresses], site.pipeline.secret, PATH, self.plan.seed, LATE_PATH)
        self.watch = Watch(site, self.story)
        return site

    def differences(self) -> list[str]:
        found = facts.collect(self.site, self.provider.told, self.story.incidents)
        self.story.count("records gone with the end of a log", len(lost_records(found)))
        return checker.differences(found)

    def met(self) -> tuple[int, int, dict[str, int]]:
        told = self.provider.told
        return len(told.accepted), self.watch.looked_up, dict(sorted(told.answers.items()))

    def hurt(self) -> None:
        self.start(self.watch)
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

    def heal(self) -> None:
        self.await_well()
        self.provider.finish(ANSWERED_WITHIN)
        self.provider.end()
        self._await_drained()
        if listing := self.site.listing:
            wait_for(lambda: self.site.walked_to() == listing.shown.last, "the walk to be at the newest event of the list", CAUGHT_UP_WITHIN)
        self.site.pipeline.expect_caught_up(CAUGHT_UP_WITHIN)
        self.site.pipeline.expect_recorded(CAUGHT_UP_WITHIN)
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

    def _await_drained(self) -> None:
        """The journals of those that have one."""
        if not self.site.plan.spills:
            return
        for ingress in self.site.ingresses:
            wait_for(lambda ingress=ingress: ingress.metric("sluice_ingress_spill_records") == 0, f"the journal of {ingress.label} to be empty", CAUGHT_UP_WITHIN)
            self.story.count("journals that a life found", len(ingress.decisions("spill_found")))
            self.story.count("journals drained", len(ingress.decisions("spill_drained")))

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

