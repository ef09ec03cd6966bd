"""The marketplace at work: two endpoints of one account, one event id in two accounts, batches in parts, and faults."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from deploy.demo.report import table
from deploy.demo.steps import say
from deploy.demo.verdict import Check
from deploy.examples import play, story
from deploy.examples.callbacks import Callback, deliver, sign
from deploy.examples.installation import ExampleInstallation
from deploy.examples.marketplace import books, providers, verdict
from deploy.examples.marketplace.plan import FEWEST, Event, Seller, plan
from deploy.examples.receiver import Receiver

STORY = "Stripe and Adyen tell of the sales, refunds and payouts of three sellers; each has its own accounts, balance and messages in order"
DESTINATION = "sellers"
COUNT = 24  # payments of each seller
TOO_EARLY = "an event came before what it relies on"


class Play(play.PlayWithReceiver):
    def __init__(self, installation: ExampleInstallation, receiver: Receiver, count: int, seed: int) -> None:
        super().__init__(installation, receiver, DESTINATION, seed)
        self._sellers = plan(max(count, FEWEST), seed)
        self._began = int(time.time())
        self._callbacks: list[Callback] = []
        self._later: list[Callback] = []
        self.count_fault(TOO_EARLY, 0)

    def sign(self) -> None:
        """What two endpoints bring is the same event, signed with the secret of each."""
        self._take_on()
        with ThreadPoolExecutor(4) as pool:
            self._callbacks = self._signed(pool, "first", lambda seller: seller.deliveries)
            self._later = self._signed(pool, "later", lambda seller: seller.later)
            broken = self._signed(pool, "broken", lambda seller: seller.broken)
        self._callbacks += [replace(one, kind="broken-item", request=providers.with_broken_item(one.request))
                            for one in broken if one.genuine]
        for seller in self._sellers:
            say(f"  {seller.name}: {len(seller.entries)} sales, refunds and payouts, told by {' and '.join(seller.endpoints)} in "
                f"{len(seller.deliveries)} deliveries with {sum(map(len, seller.deliveries))} events")

    def overtake(self) -> None:
        """Payouts and refunds come before all sales."""
        early = [one for one in self._callbacks if one.genuine and one.about.endswith(("payout", "refund"))]
        self._deliver(early)
        waiting = "SELECT COUNT(*) FROM inbox WHERE status = 'deferred'"
        self.until(lambda: self.number(waiting) == len({event for one in early for event in one.events}), "all of them to wait")
        self.count_fault(TOO_EARLY, self.number(waiting))
        say(f"  {self.number(waiting)} events wait; the ledger has {self.number('SELECT COUNT(*) FROM ledger')} entries")

    def trouble(self) -> None:
        told = {event.entry for seller in self._sellers for events in seller.deliveries for event in events}
        self.send_under_faults(self._callbacks, begun=lambda: self.number("SELECT COUNT(*) FROM ledger") > 0, messages=len(told))

    def again(self) -> None:
        """Only the inbox knows then what has come before."""
        self.installation.ctl("markers", "forget", "--apply")
        self._deliver(self._later)
        self.until_settled()
        say(story.answers(self.answers))

    def compare(self) -> list[Check]:
        found = books.look(self.installation.stack.mysql, self.receiver)
        for what, times in verdict.met(self._sellers, self.answers).items():
            self.count_fault(what, times)
        say(table(["seller", "", "sales", "refunds", "payouts", "balance", "found", "messages"],
                  [self._line(seller, found) for seller in self._sellers]))
        say(f"\n{story.faults(self.faults)}")
        return verdict.judge(self._sellers, self.answers, found, self.faults)

    def _line(self, seller: Seller, found: books.Books) -> list[str | int]:
        sums = [sum(abs(entry.amount) for entry in seller.entries if entry.kind == kind) for kind in ("sale", "refund", "payout")]
        return [seller.name, seller.currency, *(f"{amount / 100:.2f}" for amount in (*sums, seller.balance)),
                f"{found.balances.get(seller.name, 0) / 100:.2f}", sum(entry.seller == seller.name for _, entry in found.messages)]

    def _take_on(self) -> None:
        with self.installation.stack.mysql.connect() as connection, connection.cursor() as cursor:
            cursor.executemany("INSERT INTO seller (seller, currency) VALUES (%s, %s)", [(one.name, one.currency) for one in self._sellers])

    def _deliver(self, callbacks: list[Callback]) -> None:
        with ThreadPoolExecutor(16) as pool:
            self.answers += pool.map(lambda one: deliver(self.installation.ingress_port, one), callbacks)

    def _signed(self, pool: ThreadPoolExecutor, what: str, of: Callable[[Seller], list[tuple[Event, ...]]]) -> list[Callback]:
        wanted = [(source, seller, events, f"{what}-{number}-{events[0].entry.kind}") for seller in self._sellers
                  for number, events in enumerate(of(seller)) for source in seller.endpoints]
        return [one for made in pool.map(lambda one: self._sign(*one), wanted) for one in made]

    def _sign(self, source: str, seller: Seller, events: tuple[Event, ...], about: str) -> list[Callback]:
        ids, body = providers.said(seller, events, self._began)
        file = self.installation.folder / f"{source}-{about}.json"
        file.write_text(json.dumps(body))
        return sign(self.installation, source, about, ["--body", str(file)], forgeries=100, ids=ids)


STEPS: dict[str, Callable[[Play], None]] = {
    "sign what Stripe and Adyen will send": Play.sign, "payouts and refunds before the sales": Play.overtake,
    "all deliveries in disorder, and three programs killed": Play.trouble,
    "batches again in part, after Redis forgot them": Play.again}
