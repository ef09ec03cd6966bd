"""A provider that sends all the time, through the Service, and remembers in what order it was answered with success."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator

from tests.support.events import Event, fresh_id, paid_invoice, payment
from tests.support.provider import Answer, Delivery, Provider
from tests.walk.installation import Installation

PACE = 0.15  # seconds between two events
OF_ONE_OBJECT = 3


class BehindService(Provider):
    """Asks whichever pod is ready, by turns. Where none is, what stands in front says 503 itself, and our programs hear nothing of it."""

    def __init__(self, installation: Installation, path: str) -> None:
        super().__init__(0, installation.pipeline.secret, path)
        self._installation = installation
        self._turn = itertools.count()

    def post(self, body: bytes, headers: list[tuple[str, str]], path: str | None = None, within: float = 15.0) -> Answer:
        ports = self._installation.endpoints()
        if not ports:
            return Answer(503, {}, b"", 0.0, "no pod is ready")
        return Provider(ports[next(self._turn) % len(ports)], self.secret, self.path).post(body, headers, path, within)


class Traffic:
    """`taken`: events in the order of their first 2xx."""

    def __init__(self, installation: Installation, path: str) -> None:
        self.provider = BehindService(installation, path)
        installation.pipeline.providers.append(self.provider)
        self.customer = fresh_id("cus")
        installation.pipeline.ledger.open_wallet(self.customer)
        self.taken: list[Event] = []
        self.make: Callable[[], Iterator[Event]] = self.payments
        self._one_at_a_time = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(30)

    def payments(self) -> Iterator[Event]:
        """A few of one object, with one amount, and each at a second of its own: nothing is strange about them."""
        unit = fresh_id("pi")
        last = int(time.time())
        return (payment(self.customer, intent=unit, created=last - before) for before in reversed(range(OF_ONE_OBJECT)))

    def payments_and_invoices(self) -> Iterator[Event]:
        unit = fresh_id("in")
        return itertools.chain(self.payments(), (paid_invoice(self.customer, unit=unit) for _ in range(OF_ONE_OBJECT)))

    def send(self, *events: Event) -> None:
        for event in events:
            self._attempt(self.provider.start(event))

    def send_refused_again(self) -> None:
        """As an operator asks the provider to, once for each."""
        for delivery in [delivery for delivery in self.provider.deliveries if not delivery.accepted]:
            self._attempt(delivery)

    def taken_at_once(self) -> list[Event]:
        """Those whose first attempt was answered with success."""
        first = {delivery.event.id for delivery in self.provider.deliveries if delivery.answers and delivery.answers[0].accepted}
        return [event for event in self.taken if event.id in first]

    @property
    def refused(self) -> int:
        return sum(not delivery.accepted for delivery in self.provider.deliveries)

    def _attempt(self, delivery: Delivery) -> None:
        with self._one_at_a_time:
            if not delivery.accepted and delivery.attempt().accepted:
                self.taken.append(delivery.event)

    def _run(self) -> None:
        while True:
            for event in self.make():
                if self._ended.wait(PACE):
                    return
                self.send(event)
