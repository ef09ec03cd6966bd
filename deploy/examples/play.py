"""What all plays do: send callbacks while programs are killed and a receiver fails, and wait until all is settled."""

from __future__ import annotations

import random
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from deploy.demo.steps import say
from deploy.examples.callbacks import Answer, Callback, deliver, told
from deploy.examples.installation import ExampleInstallation
from deploy.examples.receiver import Receiver
from deploy.examples.sql import number, rows
from deploy.stack.stack import Stack

SETTLED_WITHIN = 120.0  # seconds
LOOK_EVERY = 0.02  # seconds
COPIES = 3  # of each genuine callback
KILLS = tuple(f"kill -9 of the {name}" for name in ("consumer", "ingress", "relay"))


class Play:
    """One run; an example's play has its steps, which are called in their order. What does not settle in time shows in the verdict."""

    installed = ExampleInstallation
    look_every = LOOK_EVERY

    def __init__(self, installation: ExampleInstallation, seed: int) -> None:
        self.installation, self.dice = installation, random.Random(seed)
        self.answers: list[Answer] = []
        self._faults: dict[str, int] = {}

    def count_fault(self, what: str, times: int) -> None:
        self._faults[what] = times

    @property
    def faults(self) -> dict[str, int]:
        return self._faults

    def until(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + SETTLED_WITHIN
        while not holds():
            if time.monotonic() > deadline:
                return say(f"  not within {SETTLED_WITHIN:.0f} s: {what}")
            time.sleep(self.look_every)

    @property
    def told(self) -> set[str]:
        """The events that we have to have, by account and id."""
        return told(self.answers)

    def until_settled(self) -> None:
        """Each event that we were told of has its inbox row, which is final, and each message has left."""
        wanted = len(self.told)
        settled = "SELECT COUNT(*) FROM inbox WHERE status IN ('done', 'ignored', 'skipped')"
        self.until(lambda: self.number(settled) >= wanted and self.unsent() == 0, f"{wanted} events to be settled")

    def unsent(self) -> int:
        return self.number("SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL")

    def rows(self, statement: str) -> list[tuple]:
        return rows(self.installation.stack.mysql, statement)

    def number(self, statement: str) -> int:
        return number(self.installation.stack.mysql, statement)


class PlayWithReceiver(Play):
    """`secret` is the name of the file that the receiver verifies with."""

    def __init__(self, installation: ExampleInstallation, receiver: Receiver, secret: str, seed: int) -> None:
        super().__init__(installation, seed)
        self.receiver = receiver
        self._faults = dict.fromkeys(KILLS, 0)
        receiver.secret = installation.secret(secret)

    @staticmethod
    def partner(stack: Stack) -> Receiver:
        return Receiver(stack.mysql)

    @property
    def faults(self) -> dict[str, int]:
        counts = self.receiver.counts
        return self._faults | {"the receiver failed": counts["failed"], "it took a message and gave no answer": counts["unanswered"],
                               "it got one again": counts["again"], "it refused a forged message": counts["forged"]}

    def send_under_faults(self, callbacks: list[Callback], *, begun: Callable[[], bool], messages: int,
                          halfway: Callable[[], None] = lambda: None) -> None:
        """All callbacks in disorder, genuine ones several times. The consumer is killed once it has `begun`, before the second half
        is sent; the ingress while it is sent; the relay when the receiver has worked on half of so many messages."""
        deliveries = [one for one in callbacks for _ in range(COPIES if one.genuine else 1)]
        self.dice.shuffle(deliveries)
        half = len(deliveries) // 2
        with ThreadPoolExecutor(16) as pool:
            first = self._send(pool, deliveries[:half])
            self.until(begun, "the first of them to be applied")
            self._kill("consumer")
            second = self._send(pool, deliveries[half:])
            self._kill("ingress")
            halfway()
            self.until(lambda: self.receiver.counts["worked"] > messages // 2, "half of the messages")
            self._kill("relay")
            self.answers += [done.result() for done in (*first, *second)]
        self._lie_to_receiver()

    def _send(self, pool: ThreadPoolExecutor, deliveries: list[Callback]) -> list[Future[Answer]]:
        return [pool.submit(deliver, self.installation.ingress_port, one) for one in deliveries]

    def _kill(self, name: str) -> None:
        fault, waiting = f"kill -9 of the {name}", self.unsent()
        self.installation.kill(name)
        self.count_fault(fault, 1)
        say(f"  {fault}, with {self.receiver.counts['worked']} messages taken and {waiting} waiting; another one starts")

    def _lie_to_receiver(self) -> None:
        """Whoever finds its address makes it do nothing."""
        headers = {"webhook-id": "0" * 64, "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,bm90IGl0"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.receiver.port}/", headers=headers, method="POST",
                                         data=b'{"order": "none", "customer": "nobody", "invoice": "none", "amount": 1, "currency": "CNY", '
                                              b'"type": "sale", "seller": "nobody", "number": "none"}')
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                said = answer.status
        except OSError as refused:  # an HTTPError is one
            said = getattr(refused, "code", "nothing")
        say(f"  a message that is not signed with the secret: the receiver answers {said}")
