"""Polling at work: a list in trouble, a poller that is killed, events that become visible late, and webhooks beside it."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

from deploy.demo.report import table
from deploy.demo.steps import say
from deploy.demo.verdict import Check
from deploy.examples import play, story
from deploy.examples.callbacks import Answer, deliver, sign
from deploy.examples.installation import ExampleInstallation
from deploy.examples.polling import books, says, verdict
from deploy.examples.polling.event_list import EventList, Told, cut_short
from deploy.examples.polling.event_list import says as answer
from deploy.examples.polling.plan import FEWEST, just_happened, plan
from deploy.examples.subscriptions.plan import Event
from deploy.stack.stack import Stack

STORY = "no public endpoint: Stripe's list of events keeps customers, subscriptions and income as tables, under faults; then webhooks too"
COUNT = 24  # customers
PAGE = 20  # events
WEBHOOK = "stripe-webhook"
KILLED, LATE, BOTH = "kill -9 of the poller", "an event became visible late", "an event was published by list and by webhook"
TROUBLE = {"the list answered 500": 500, "it cut an answer": cut_short, "it answered 429": answer(b"{}", 429, retry_after="1")}


class Play(play.Play):
    def __init__(self, installation: ExampleInstallation, stripe: EventList, count: int, seed: int) -> None:
        super().__init__(installation, seed)
        self._list, self._plan = stripe, plan(max(count, FEWEST), seed, int(time.time()))
        self._events: list[Told] = []  # of the list
        self._held, self._killed = threading.Event(), threading.Event()
        self._went_on = False
        stripe.key = installation.secret("stripe-api")

    @staticmethod
    def partner(_: Stack) -> EventList:
        return EventList(most=PAGE)

    def happen(self) -> None:
        self._happened("past", self._plan.past)
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(event.type for event in self._list.events).items()))
        say(f"  {self._plan.customers} customers; the list has {kinds}")

    def walk(self) -> None:
        """The poller is killed while its third page is on the way."""
        self._list.fail(*TROUBLE.values(), 0, 0, self._hold, of="ending_before")
        poller = self.installation.job("poller", "sluice-poller", "--once")
        self.until(self._held.is_set, "the third page to be asked for")
        poller.kill()
        before = self._asked_behind()
        self._killed.set()
        for fault in (*TROUBLE, KILLED):
            self.count_fault(fault, 1)
        say(f"  {KILLED}, with its third page on the way; another one waits until the lease of the killed one is over: a minute")
        self._poll()
        self._went_on = self._asked_behind()[len(before):][:1] in ([place] for place in before[-2:])

    def late(self) -> None:
        new = just_happened(self._plan.new, int(self._list.now))
        self._happened("new", new[::2])
        self._happened("late", new[1::2], visible_in=60)
        self._poll()
        self._list.pass_time(60)
        self._poll()
        self.count_fault(LATE, len(new[1::2]))
        say(f"  {len(new[1::2])} of {len(new)} new events could not be seen in the first round")

    def webhooks(self) -> None:
        """Half of the events once more, when Redis has forgotten them: only the inbox knows that they have come."""
        self.installation.ctl("markers", "forget", "--apply")
        with ThreadPoolExecutor(4) as pool:
            self.answers += pool.map(self._deliver, self._events[::2])
        self.until_settled()
        say(story.answers(self.answers))

    @property
    def told(self) -> set[str]:
        return {f"{self.installation.principals[WEBHOOK]}/{event.id}" for event in self._events}

    def compare(self) -> list[Check]:
        found, listed = books.look(self.installation), says.read(event.body for event in self._list.events)
        self.count_fault(BOTH, len(found.by_list & found.by_webhook))
        self.count_fault("two events of one second", self._of_one_second())
        say(table(["", "the list", "MySQL"], [
            ["events", len(self._list.events), len(found.inbox)],
            ["customers that are there", *(list(one.customers.values()).count("there") for one in (listed, found))],
            ["subscriptions that are active", listed.active, list(found.subscriptions.values()).count("active")],
            ["income", f"{sum(listed.sums.values()) / 100:.2f}", f"{sum(found.sums.values()) / 100:.2f}"]]))
        say(f"\n{story.faults(self.faults)}")
        return verdict.judge(listed, self.told, self.answers, self._list.refused, len(self._list.asked), self._went_on, found, self.faults)

    def _happened(self, about: str, events: list[Event], visible_in: float = 0) -> None:
        """At Stripe: the bodies are those of its webhooks."""
        def made(number: int, event: Event) -> list[Told]:
            callbacks = sign(self.installation, WEBHOOK, f"{about}-{number}", event.options(), count=2 if event.again else 1)
            return [Told.of(one.request.partition(b"\r\n\r\n")[2]) for one in callbacks]
        with ThreadPoolExecutor(4) as pool:
            told = [event for some in pool.map(made, range(len(events)), events) for event in some]
        self._list.add(*told, visible_in=visible_in)
        self._events += told

    def _deliver(self, event: Told) -> Answer:
        """As a webhook that is signed now: signatures grow old."""
        body = self.installation.folder / f"{event.id}.json"
        body.write_bytes(event.body)
        [callback] = sign(self.installation, WEBHOOK, event.id, ["--type", event.type, "--body", str(body)])
        return deliver(self.installation.ingress_port, callback)

    def _poll(self) -> None:
        poller = self.installation.job("poller", "sluice-poller", "--once")
        self.until(lambda: not poller.running, "the poller to have read all")
        if poller.exit_code != 0:
            say(f"  the poller ended with {poller.exit_code}: {poller.end_of_log(3)}")

    def _hold(self, _: BaseHTTPRequestHandler) -> None:
        """Answers nothing until the poller is gone."""
        self._held.set()
        self._killed.wait(play.SETTLED_WITHIN)

    def _asked_behind(self) -> list[str]:
        return [place for asked in self._list.asked if (place := asked.parameter("ending_before"))]

    def _of_one_second(self) -> int:
        created = Counter(json.loads(event.body)["created"] for event in self._list.events)
        return sum(count - 1 for count in created.values())


STEPS: dict[str, Callable[[Play], None]] = {
    "what happened at Stripe before": Play.happen, "read the list, which fails, with a poller that is killed": Play.walk,
    "new events, some of which become visible late": Play.late, "half of all by webhook as well": Play.webhooks}
