"""Operators of a history: they ask for things about what waits, at any moment, and see to what is dead in the end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from tests.chaos.histories.plan import Order
from tests.chaos.story import Story
from tests.support.commands import RETRY, SKIP, send
from tests.support.events import Event
from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for

ACTIONS = {"retry": RETRY, "skip": SKIP}
ROUNDS_WITHIN = 60.0  # seconds: with several dead of one object the next one may die anew


class Operators:
    def __init__(self, pipeline: Pipeline, story: Story, events: Mapping[str, Event]) -> None:
        self.pipeline, self.story, self.events = pipeline, story, events
        self.asked = 0

    def carry_out(self, orders: Sequence[Order]) -> None:
        """Each at its time, about one of what waits then; parked ones are refused."""
        for order in orders:
            if not self.story.pause_until(order.at):
                return
            if waiting := self._waiting():
                self._ask(order.action, waiting[int(order.pick * len(waiting))], 2 if order.twice else 1)

    def end_cases(self, how: str) -> None:
        """Those that are open: what stood behind them goes on. `how`: retry, skip or ctl."""
        cases = self.pipeline.ledger.query("SELECT event_id FROM dead_letter WHERE closed_at IS NULL AND kind = 'case' ORDER BY id")
        if how == "ctl":
            self._skip_by_sluicectl()
        for (event,) in cases if how != "ctl" else []:
            self._ask(how, event.decode())

    def _skip_by_sluicectl(self) -> None:
        told = self.pipeline.ctl("dlq", "skip", "--kind", "case", "--with-behind", "--resolved", "refunded", "--operator", "kim", "--json",
                                 "--apply")
        assert told.returncode == 0, told.stdout + told.stderr
        said = json.loads(told.stdout)
        self.story.count("cases skipped by sluicectl", said["total"])
        self.asked += said["total"]

    def retry_the_dead(self) -> None:
        """Until nobody is: their trouble is over."""
        asked: set[int] = set()

        def nobody_is_dead() -> bool:
            dead = self.pipeline.ledger.query("SELECT id, event_id FROM dead_letter WHERE closed_at IS NULL ORDER BY id DESC")
            for dead_letter, event in dead:
                if dead_letter not in asked:
                    self._ask("retry", event.decode())
                    asked.add(dead_letter)
            return not dead
        wait_for(nobody_is_dead, "the dead to be retried", ROUNDS_WITHIN, every=0.1)

    def all_are_answered(self) -> bool:
        """Each order, however often it was sent, has one answer."""
        return self.pipeline.ledger.query("SELECT COUNT(*) FROM operator_action")[0][0] == self.asked

    def _waiting(self) -> list[str]:
        rows = self.pipeline.ledger.query("SELECT event_id FROM inbox WHERE status IN ('dead', 'retry', 'deferred', 'parked')"
                                          " ORDER BY event_id")
        return [event.decode() for (event,) in rows]

    def _ask(self, action: str, event: str, times: int = 1) -> None:
        self.story.count(f"orders to {action}")
        self.asked += 1
        send(self.pipeline, ACTIONS[action], self.events[event], times=times)
