"""Clicks are charged while both roles are killed, and then compared with what was asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from deploy.demo.steps import say
from deploy.demo.verdict import Check
from deploy.examples import play, story
from deploy.examples.charging import books, says, verdict
from deploy.examples.charging.caller import Caller
from deploy.examples.charging.installation import ChargingInstallation
from deploy.examples.charging.plan import FEWEST, HOT, plan
from deploy.examples.charging.traffic import LOOKED_UP_EACH, Traffic
from deploy.stack.stack import Stack

STORY = "clicks are charged to merchants, each once, however often a service asks; two merchants are hot; both roles are killed"
COUNT = 200_000  # clicks
KILLS = {0.2: "serve", 0.35: "book", 0.5: "serve", 0.65: "book", 0.8: "serve"}  # by the share that was sent


class Nobody:
    """There is nobody outside whom this needs."""

    url = ""

    def close(self) -> None: ...


class Play(play.Play):
    installed = ChargingInstallation
    look_every = 1.0  # seconds: counting 200,000 rows is work

    def __init__(self, installation: ChargingInstallation, _: Nobody, count: int, seed: int) -> None:
        super().__init__(installation, seed)
        self._plan = plan(max(count, FEWEST), seed)
        secret = installation.secret("ads")
        self._traffic = Traffic(self._plan, lambda: Caller(installation.port, "ads", secret))
        self._faults = {f"kill -9 of the role {name}": 0 for name in KILLS.values()}

    @staticmethod
    def partner(_: Stack) -> Nobody:
        return Nobody()

    def open(self) -> None:
        server = self.installation.stack.mysql
        with server.connect() as connection, connection.cursor() as cursor:
            cursor.executemany("INSERT INTO merchant_balance VALUES (%s, %s)", list(self._plan.balances.items()))
        (self.installation.folder / "hot-merchants.txt").write_text(f"{HOT[0]}\n")
        say(f"  {len(self._plan.balances):,} merchants, {len(self._plan.rich):,} of them with money enough; "
            f"{HOT[0]} is on the list of hot ones, {HOT[1]} gets hot by its rate")

    def send(self) -> None:
        sends = len(self._plan.sends)
        say(f"  {len(self._plan.clicks):,} clicks, and {sends - len(self._plan.clicks):,} once more with the same key")
        self._traffic.send({int(share * sends): partial(self._kill, name) for share, name in KILLS.items()})

    def book(self) -> None:
        self.until(self._all_are_booked, "each click to have a response")

    def look_up(self) -> None:
        self._traffic.look_up([number for number in range(len(self._plan.clicks)) if number % LOOKED_UP_EACH == 1])

    def compare(self) -> list[Check]:
        found = books.look(self.installation.stack.mysql)
        for part in (says.answers(self._traffic), says.merchants(self._plan, found), story.faults(self.faults), self._how_to_look()):
            say(f"{part}\n")
        return verdict.judge(self._plan, self._traffic, found, self.faults)

    def _kill(self, name: str) -> None:
        fault = f"kill -9 of the role {name}"
        self.count_fault(fault, self.faults[fault] + 1)
        self.installation.kill(name)
        say(f"  {fault}, with {self._traffic.sent:,} sent; another one starts")

    def _all_are_booked(self) -> bool:
        left = len(self._plan.clicks) - self.number("SELECT COUNT(*) FROM command_key")
        say(f"  {left:,} clicks have no response yet")
        return left <= 0

    def _how_to_look(self) -> str:
        chosen = next((self._plan.clicks[number] for number in self._traffic.accepted), self._plan.clicks[0])
        return f"{chosen.id} of {chosen.merchant}: sluicectl command show charge-click {chosen.key}\n" + \
            self.installation.ctl("command", "show", "charge-click", chosen.key).strip()


STEPS: dict[str, Callable[[Play], None]] = {
    "give merchants money": Play.open, "send clicks, while both roles are killed": Play.send,
    "wait until all that was accepted is booked": Play.book, "look up what became of clicks": Play.look_up}
