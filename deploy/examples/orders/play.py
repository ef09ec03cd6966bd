"""The example at work: signs, sends, breaks things, lets a person end the cases, and compares."""

from __future__ import annotations

import random
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from threading import Barrier

from deploy.demo.steps import say
from deploy.demo.verdict import Check
from deploy.examples.callbacks import Answer, Callback, deliver, sign
from deploy.examples.installation import ExampleInstallation
from deploy.examples.orders import books, providers, story, verdict
from deploy.examples.orders.plan import ENDS_PAID, FEWEST, RUSH_COPIES, RUSH_EVENTS, Order, Payment, plan
from deploy.examples.receiver import Receiver

STORY = "Alipay, WeChat Pay, UnionPay and Stripe pay one table of orders; a topic and a shipping service are told of each paid order once"
DESTINATION = "shipping"
FAULTS = ("callbacks for one order at one moment", "kill -9 of the consumer", "kill -9 of the relay")
SETTLED_WITHIN = 120.0  # seconds
LOOK_EVERY = 0.02  # seconds
COPIES = 3  # of each callback


class Play:
    """One run; the steps are called in their order. What did not settle in time shows in the verdict."""

    def __init__(self, installation: ExampleInstallation, receiver: Receiver, count: int, seed: int) -> None:
        self._installation, self._receiver, self._dice = installation, receiver, random.Random(seed)
        self._orders = plan(max(count, FEWEST), seed)
        self._callbacks: dict[str, list[Callback]] = {}
        self._answers: list[Answer] = []
        self._faults = dict.fromkeys(FAULTS, 0)
        self._cases_met: list[tuple[str, str]] = []  # class, order: those that a person had before them

    def sign(self) -> None:
        self._receiver.secret = self._installation.secret("shipping")
        self._open([order for order in self._orders if order.fate != "late"])
        payments = [one for order in self._orders for one in order.payments]
        with ThreadPoolExecutor(4) as pool:
            for made in pool.map(self._sign, payments):
                self._callbacks.setdefault(made[0].about.partition(":")[0], []).extend(made)
        fates = ", ".join(f"{count} {fate}" for fate, count in Counter(order.fate for order in self._orders).items())
        say(f"  {len(self._orders)} orders ({fates}); {sum(map(len, self._callbacks.values()))} different callbacks")

    def rush(self) -> None:
        """Two channels say at the same moment that they were paid."""
        order = self._orders[0]
        genuine = [one for one in self._callbacks[order.no] if one.genuine]
        deliveries = genuine * RUSH_COPIES
        gate = Barrier(len(deliveries))
        with ThreadPoolExecutor(len(deliveries)) as pool:
            answers = list(pool.map(lambda one: deliver(self._port, one, gate), deliveries))
        self._answers += answers
        self._faults[FAULTS[0]] = len(answers)
        self._until(lambda: self._shipped(order) and self._cases() == 1, "the order that was paid by two channels")
        say(story.rush(answers, self._state(order), self._cases(), self._shipped(order)))

    def trouble(self) -> None:
        callbacks = [one for order in self._orders[1:] for one in self._callbacks[order.no]]
        deliveries = [one for one in callbacks for _ in range(COPIES if one.genuine else 1)]
        deliveries += [one for one in self._callbacks[self._orders[0].no] if not one.genuine]
        self._dice.shuffle(deliveries)
        half = len(deliveries) // 2
        with ThreadPoolExecutor(16) as pool:
            first = self._send(pool, deliveries[:half])
            self._until(lambda: self._paid() > 1, "the first of them to be paid")
            self._kill("consumer")
            second = self._send(pool, deliveries[half:])
            self._open([order for order in self._orders if order.fate == "late"])
            say("  halfway: the shop's own rows of the late orders are there, after their payments")
            self._until(lambda: self._receiver.counts["worked"] > self._expected_paid // 2, "half of the messages")
            self._kill("relay")
            self._answers += [done.result() for done in as_completed([*first, *second])]
        self._lie_to_receiver()
        self._until(self._all_told, "all that was paid to be told")
        say(story.answers(self._answers))

    def end_cases(self) -> None:
        """As docs/dlq.md has it: the money goes back at the provider, and the case is ended, with what waits behind it."""
        self._until(lambda: self._cases() == sum(order.case is not None for order in self._orders), "all cases")
        self._cases_met = books.open_cases(self._installation.stack.mysql)
        say(self._installation.ctl("dlq", "list", "--kind", "case", "--limit", "5").rstrip())
        for case in ("paid_twice", "amount_mismatch"):
            self._installation.ctl("dlq", "skip", "--class", case, "--with-behind", "--resolved", "refunded", "--operator", "ada",
                                   "--reason", f"{case}: refunded by hand", "--apply")
        wanted = len({one.callback.id for one in self._answers if one.callback.genuine})
        settled = "SELECT COUNT(*) FROM inbox WHERE status IN ('done', 'ignored', 'skipped')"
        self._until(lambda: self._count(settled) >= wanted, f"{wanted} events to be settled")

    def compare(self) -> list[Check]:
        counts = self._receiver.counts
        faults = self._faults | {"the receiver failed": counts["failed"], "it took a message and gave no answer": counts["unanswered"],
                                 "it got one again": counts["again"], "it refused a forged message": counts["forged"]}
        found = books.look(self._installation, self._receiver)
        say(story.totals(self._orders, found, faults))
        return verdict.judge(self._orders, self._answers, self._cases_met, found, faults)

    @property
    def _port(self) -> int:
        return self._installation.ingress_port

    @property
    def _expected_paid(self) -> int:
        return sum(order.fate in ENDS_PAID for order in self._orders)

    def _sign(self, payment: Payment) -> list[Callback]:
        """Callbacks are known by their order; those that were never paid exist as forgeries alone."""
        again = payment.source in providers.TELLS_AGAIN and payment.kind == "paid"
        count = RUSH_EVENTS if payment.order == self._orders[0].no else 2 if again else 1
        made = sign(self._installation, payment.source, f"{payment.order}:{payment.kind}", providers.options(payment), count=count,
                    forgeries=100)
        return [one for one in made if payment.kind != "forged" or not one.genuine]

    def _open(self, orders: Iterable[Order]) -> None:
        with self._installation.stack.mysql.connect() as connection, connection.cursor() as cursor:
            cursor.executemany("INSERT INTO orders (order_no, amount, currency) VALUES (%s, %s, %s)",
                               [(order.no, order.amount, order.currency) for order in orders])

    def _send(self, pool: ThreadPoolExecutor, deliveries: list[Callback]) -> list[Future[Answer]]:
        return [pool.submit(deliver, self._port, one) for one in deliveries]

    def _kill(self, name: str) -> None:
        waiting = self._count("SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL")
        self._installation.kill(name)
        self._faults[f"kill -9 of the {name}"] = 1
        say(f"  kill -9 of the {name}, with {self._paid()} orders paid and {waiting} messages waiting; another one starts")

    def _lie_to_receiver(self) -> None:
        """Whoever finds its address cannot have goods shipped."""
        headers = {"webhook-id": "0" * 64, "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,bm90IGl0"}
        request = urllib.request.Request(f"http://127.0.0.1:{self._receiver.port}/order-paid", headers=headers, method="POST",
                                         data=b'{"order": "order-never", "amount": 1, "currency": "CNY"}')
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                said = answer.status
        except OSError as refused:  # an HTTPError is one
            said = getattr(refused, "code", "nothing")
        say(f"  a message that is not signed with the secret: the receiver answers {said}")

    def _all_told(self) -> bool:
        return (self._paid() >= self._expected_paid and self._count("SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL") == 0)

    def _paid(self) -> int:
        return self._count("SELECT COUNT(*) FROM orders WHERE status = 'PAID'")

    def _cases(self) -> int:
        return len(books.open_cases(self._installation.stack.mysql))

    def _shipped(self, order: Order) -> int:
        return sum(body["order"] == order.no for _, body in self._receiver.work())

    def _state(self, order: Order) -> str:
        [(status, paid_by)] = books.rows(self._installation.stack.mysql,
                                         f"SELECT status, COALESCE(paid_by, 'nobody') FROM orders WHERE order_no = '{order.no}'")
        return f"{status} by {paid_by}"

    def _count(self, statement: str) -> int:
        return books.number(self._installation.stack.mysql, statement)

    def _until(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + SETTLED_WITHIN
        while not holds():
            if time.monotonic() > deadline:
                return say(f"  not within {SETTLED_WITHIN:.0f} s: {what}")
            time.sleep(LOOK_EVERY)


STEPS: dict[str, Callable[[Play], None]] = {
    "sign what the providers will send": Play.sign, "64 callbacks at once for one order": Play.rush,
    "callbacks of all orders, and two programs killed": Play.trouble, "a person ends the cases": Play.end_cases}
