"""The shop at work: four channels, 64 callbacks at once, faults, and a person who ends the cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from deploy.demo.steps import say
from deploy.demo.verdict import Check
from deploy.examples import play, story
from deploy.examples.callbacks import Callback, deliver, sign
from deploy.examples.installation import ExampleInstallation
from deploy.examples.orders import books, providers, verdict
from deploy.examples.orders.plan import ENDS_PAID, FEWEST, RUSH_COPIES, RUSH_EVENTS, Order, Payment, plan
from deploy.examples.orders.story import rush, totals
from deploy.examples.receiver import Receiver

STORY = "Alipay, WeChat Pay, UnionPay and Stripe pay one table of orders; a topic and a shipping service are told of each paid order once"
DESTINATION = "shipping"
COUNT = 120  # orders
AT_ONCE = "callbacks for one order at one moment"


class Play(play.PlayWithReceiver):
    def __init__(self, installation: ExampleInstallation, receiver: Receiver, count: int, seed: int) -> None:
        super().__init__(installation, receiver, DESTINATION, seed)
        self._orders = plan(max(count, FEWEST), seed)
        self._callbacks: dict[str, list[Callback]] = {}
        self._cases_met: list[tuple[str, str]] = []  # class, order: those that a person had before them
        self.count_fault(AT_ONCE, 0)

    def sign(self) -> None:
        self._open([order for order in self._orders if order.fate != "late"])
        payments = [one for order in self._orders for one in order.payments]
        with ThreadPoolExecutor(4) as pool:
            for payment, made in zip(payments, pool.map(self._sign, payments), strict=True):
                self._callbacks.setdefault(payment.order, []).extend(made)
        fates = ", ".join(f"{count} {fate}" for fate, count in Counter(order.fate for order in self._orders).items())
        say(f"  {len(self._orders)} orders ({fates}); {sum(map(len, self._callbacks.values()))} different callbacks")

    def rush(self) -> None:
        """Two channels say at the same moment that they were paid."""
        order, port = self._orders[0], self.installation.ingress_port
        deliveries = [one for one in self._callbacks[order.no] if one.genuine] * RUSH_COPIES
        gate = Barrier(len(deliveries))
        with ThreadPoolExecutor(len(deliveries)) as pool:
            answers = list(pool.map(lambda one: deliver(port, one, gate), deliveries))
        self.answers += answers
        self.count_fault(AT_ONCE, len(answers))
        self.until(lambda: self._shipped(order) and self._cases() == 1, "the order that was paid by two channels")
        [state] = self.rows(f"SELECT CONCAT(status, ' by ', COALESCE(paid_by, 'nobody')) FROM orders WHERE order_no = '{order.no}'")
        say(rush(answers, *state, self._cases(), self._shipped(order)))

    def trouble(self) -> None:
        paid = sum(order.fate in ENDS_PAID for order in self._orders)
        first, *others = self._orders
        callbacks = [one for order in others for one in self._callbacks[order.no]]
        callbacks += [one for one in self._callbacks[first.no] if not one.genuine]
        self.send_under_faults(callbacks, begun=lambda: self._paid() > 1, halfway=self._open_late, messages=paid)
        self.until(lambda: self._paid() >= paid and self.unsent() == 0, "all that was paid to be told")
        say(story.answers(self.answers))

    def end_cases(self) -> None:
        """As docs/dlq.md has it: the money goes back at the provider, and the case is ended, with what waits behind it."""
        self.until(lambda: self._cases() == sum(order.case is not None for order in self._orders), "all cases")
        self._cases_met = books.open_cases(self.installation.stack.mysql)
        say(self.installation.ctl("dlq", "list", "--kind", "case", "--limit", "3").rstrip())
        for case in sorted({order.case for order in self._orders if order.case}):
            self.installation.ctl("dlq", "skip", "--class", case, "--with-behind", "--resolved", "refunded", "--operator", "ada",
                                  "--reason", f"{case}: refunded by hand", "--apply")
        self.until_settled()

    def compare(self) -> list[Check]:
        found = books.look(self.installation, self.receiver)
        say(f"{totals(self._orders, found)}\n\n{story.faults(self.faults)}")
        return verdict.judge(self._orders, self.answers, self._cases_met, found, self.faults)

    def _sign(self, payment: Payment) -> list[Callback]:
        """What was never paid exists as forgeries alone."""
        again = payment.source in providers.TELLS_AGAIN and payment.kind == "paid"
        count = RUSH_EVENTS if payment.order == self._orders[0].no else 2 if again else 1
        made = sign(self.installation, payment.source, f"{payment.order}-{payment.kind}", providers.options(payment), count=count,
                    forgeries=100)
        return [one for one in made if payment.kind != "forged" or not one.genuine]

    def _open(self, orders: Iterable[Order]) -> None:
        with self.installation.stack.mysql.connect() as connection, connection.cursor() as cursor:
            cursor.executemany("INSERT INTO orders (order_no, amount, currency) VALUES (%s, %s, %s)",
                               [(order.no, order.amount, order.currency) for order in orders])

    def _open_late(self) -> None:
        self._open([order for order in self._orders if order.fate == "late"])
        say("  halfway: the shop's own rows of the late orders are there, after their payments")

    def _paid(self) -> int:
        return self.number("SELECT COUNT(*) FROM orders WHERE status = 'PAID'")

    def _cases(self) -> int:
        return len(books.open_cases(self.installation.stack.mysql))

    def _shipped(self, order: Order) -> int:
        return sum(body["order"] == order.no for _, body in self.receiver.work())


STEPS: dict[str, Callable[[Play], None]] = {
    "sign what the providers will send": Play.sign, "64 callbacks at once for one order": Play.rush,
    "callbacks of all orders, and three programs killed": Play.trouble, "a person ends the cases": Play.end_cases}
