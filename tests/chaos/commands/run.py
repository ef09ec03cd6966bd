"""One run of a plan of commands: callers call while faults go on; then all heals, each key is asked for until it has its response, and the
checker looks."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

from tests.chaos.commands import checker
from tests.chaos.commands.callers import CallerThread, Log, look_up, send
from tests.chaos.commands.site import START, CommandSite
from tests.chaos.commands.told import Asked, Told
from tests.chaos.course import Course
from tests.support.caller import Caller
from tests.support.wait import wait_for

OVERTAKEN_CALLS = "calls of overtaken owners"  # not those that the service itself was late with; a count of the story
RESPONSE_WITHIN = 60.0  # seconds, for one key, once everything is well
ENDS_WITHIN = 30.0  # seconds, a thread whose last request is under way
LISTED_FOR = (0.5, 3.0)  # seconds


class CommandRun(Course):
    def set_up(self) -> CommandSite:
        self.log = Log(self.plan.forgotten)
        return CommandSite(self.plan, self.folder)

    def hurt(self) -> None:
        site, story, plan = self.site, self.story, self.plan
        accounts = (site.small, site.hot)
        callers = [CallerThread(number, plan.seed, site.ports, accounts, self.log, story) for number in range(plan.callers)]
        lists = threading.Thread(target=self._list_hot, name="lists", daemon=True)
        self.start(*callers, lists)
        while story.now < plan.seconds and not story.incidents:
            story.pause(0.1)
        story.over.set()
        for thread in (*callers, lists):
            self._join(thread)

    def _join(self, thread: threading.Thread) -> None:
        thread.join(ENDS_WITHIN)
        if thread.is_alive():
            self.story.incident(f"{thread.name} does not end")

    def _list_hot(self) -> None:
        """Accounts turn hot and cold while their commands are under way."""
        dice = Random(f"{self.plan.seed}/lists")
        with self.story.attended("lists"):
            while self.story.pause(dice.uniform(*LISTED_FOR)):
                self.site.list_hot(dice.choice([self.site.hot, self.site.hot, self.site.hot[:1], []]))

    def heal(self) -> None:
        self.site.service.is_well = True
        self.await_well()
        self.well_at = time.monotonic()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(self._ask_for, self.log.asked))

    def _ask_for(self, asked: Asked) -> None:
        """By look-ups alone first: what is in progress ends, though nobody sends it again. Then as its caller would, until it has the
        response; a look-up has that too, and another body is refused. The checker judges what was told, and what was not."""
        caller = Caller(self.site.ports[0], timeout=10)

        def has_ended() -> bool:
            told = self.log.add(look_up(caller, asked))
            return told is not None and told.standing not in ("", "in_progress")

        def has_response() -> bool:
            told = self.log.add(send(caller, asked))
            return told is not None and told.response is not None
        with contextlib.suppress(AssertionError):
            wait_for(has_ended, f"the end of {asked}", RESPONSE_WITHIN, every=0.1)
            wait_for(has_response, f"the response of {asked}", RESPONSE_WITHIN, every=0.1)
            if asked.command != self.plan.forgotten:
                self.log.add(send(caller, asked, other_body=True))
        self.log.add(look_up(caller, asked))

    def differences(self) -> list[str]:
        self.story.count(OVERTAKEN_CALLS, self.site.service.overtaken)
        return [*self.story.incidents, *checker.differences(self._facts())]

    def met(self) -> tuple[int, int, dict[str, int]]:
        return len(self.log.asked), sum(bool(one.standing) for one in self.log.told), self._answers()

    def _facts(self) -> checker.Facts:
        query, service = self.site.pipeline.ledger.query, self.site.service
        return checker.Facts(
            told=self.log.told,
            ledger=[(key.decode(), name.decode(), price) for key, name, price in query("SELECT caller_key, name, price FROM charged")],
            start=dict.fromkeys((*self.site.small, *self.site.hot), START),
            balances={name.decode(): balance for name, balance in query("SELECT name, balance FROM account")},
            executions=[service.names[key] for key in service.executions],
            responses={service.names[key]: body for key, body in service.executed.items()},
            executed_at=service.executed_at, well_at=self.well_at, forgotten=self.plan.forgotten)

    def _answers(self) -> dict[str, int]:
        def kind(one: Told) -> str:
            return one.standing or one.problem or ("accepted" if one.is_accepted else f"{one.status}{' replayed' * (one.mark == 'true')}")
        return {**dict(sorted(Counter(map(kind, self.log.told)).items())), "none": self.log.unanswered}
