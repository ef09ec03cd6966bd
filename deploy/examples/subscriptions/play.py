"""Subscriptions at work: events in disorder, faults, and the tables compared with what happened to the customers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from deploy.demo.report import table
from deploy.demo.steps import say
from deploy.demo.verdict import Check
from deploy.examples import play, story
from deploy.examples.callbacks import Callback, sign
from deploy.examples.installation import ExampleInstallation
from deploy.examples.receiver import Receiver
from deploy.examples.subscriptions import books, verdict
from deploy.examples.subscriptions.plan import FEWEST, Event, plan

STORY = "Stripe's subscriptions as tables under disorder; paid invoices are credited, refunds taken back, failed payments ask for a mail"
DESTINATION = "mail"
COUNT = 24  # customers


class Play(play.PlayWithReceiver):
    def __init__(self, installation: ExampleInstallation, receiver: Receiver, count: int, seed: int) -> None:
        super().__init__(installation, receiver, DESTINATION, seed)
        self._customers = plan(max(count, FEWEST), seed, int(time.time()))
        self._callbacks: list[Callback] = []

    def sign(self) -> None:
        wanted = [(f"{who.id}-{number}", event) for who in self._customers for number, event in enumerate(who.events)]
        with ThreadPoolExecutor(4) as pool:
            for made in pool.map(lambda one: self._sign(*one), wanted):
                self._callbacks += made
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(event.type for _, event in wanted).items()))
        say(f"  {len(self._customers)} customers: {kinds}; {len(self._callbacks)} different callbacks")

    def trouble(self) -> None:
        self.send_under_faults(self._callbacks, begun=lambda: self.number("SELECT COUNT(*) FROM credit_entry") > 0,
                               messages=sum(len(who.failed) for who in self._customers))
        self.until_settled()
        say(story.answers(self.answers))

    def compare(self) -> list[Check]:
        found = books.look(self.installation.stack.mysql, self.receiver)
        paid, back = sum(sum(who.paid.values()) for who in self._customers), sum(who.refunded for who in self._customers)
        say(table(["", "what happened", "found"], [
            ["subscriptions that are active", sum(who.status == "active" for who in self._customers),
             sum(status == "active" for status in found.subscriptions.values())],
            ["paid", f"{paid / 100:.2f}", f"{sum(amount for _, _, amount in found.entries) / 100:.2f}"],
            ["credit", f"{(paid - back) / 100:.2f}", f"{sum(found.balances.values()) / 100:.2f}"],
            ["mails", sum(len(who.failed) for who in self._customers), len(found.mails)]]))
        say(f"\n{story.faults(self.faults)}")
        return verdict.judge(self._customers, self.answers, found, self.faults)

    def _sign(self, about: str, event: Event) -> list[Callback]:
        return sign(self.installation, "stripe", about, event.options(), count=2 if event.again else 1, forgeries=50)


STEPS: dict[str, Callable[[Play], None]] = {
    "sign what Stripe will send": Play.sign, "all events in disorder, and three programs killed": Play.trouble}
