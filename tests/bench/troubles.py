"""What keeps some objects' effects from being applied while the delay of others is measured."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from tests.bench.cells import Untrue
from tests.support.effects import EFFECTS, SOURCE, WANTS_A_ROW
from tests.support.events import Event, paid_invoice, payment, snapshot
from tests.support.ledger import Ledger
from tests.support.wait import wait_for

UNLUCKY = "cus_unlucky"  # whose events are in trouble
# In a table of its own, so that it can be slow or altered while nobody else touches it.
NOTE = "CREATE TABLE note (event VARBINARY(255) NOT NULL, pause DOUBLE NOT NULL)"
WITHIN = 0.3  # seconds, of the effect that is slow
TAKE_NOTE: dict = {
    "name": "take-note", "when": {"source": SOURCE, "type": "charge.updated"}, "within": f"{WITHIN * 1000:g}ms",
    "sql": [{"run": "INSERT INTO note (event, pause) SELECT :event_id, pause FROM pace WHERE SLEEP(pause) = 0", "rows": {1: "done"}}]}
ALL_EFFECTS = [*EFFECTS, WANTS_A_ROW, TAKE_NOTE]


@dataclass(frozen=True)
class Trouble:
    """`event` is of the unit in question; `during` brings the trouble about, for as long as it is entered."""

    name: str
    words: str
    bar: float  # times the p99 delay of the same events without it
    event: Callable[[str], Event]
    during: Callable[[Ledger], object]


def open_books(ledger: Ledger) -> None:
    """What every leg has, troubled or not."""
    ledger.run(NOTE, "CREATE TABLE pace (pause DOUBLE NOT NULL)", "INSERT INTO pace VALUES (0)")


@contextmanager
def failing(ledger: Ledger) -> Iterator[None]:
    """Its row is missing, at each try."""
    ledger.run(f"DELETE FROM wallet WHERE customer = '{UNLUCKY}'")
    yield


@contextmanager
def locked_row(ledger: Ledger) -> Iterator[None]:
    """Somebody's transaction holds the one row that all of these objects' effects need."""
    with ledger.session() as holder, holder.cursor() as cursor:
        cursor.execute("SELECT * FROM wallet WHERE customer = %s FOR UPDATE", (UNLUCKY.encode(),))
        yield
        holder.rollback()


@contextmanager
def slow_effect(ledger: Ledger) -> Iterator[None]:
    """Each run of it would take ten minutes."""
    ledger.run("UPDATE pace SET pause = 600")
    yield


@contextmanager
def altered_table(ledger: Ledger) -> Iterator[None]:
    """An ALTER TABLE waits for a reader that does not end, and whoever wants the table waits behind it."""
    with ExitStack() as ends:
        reader = ends.enter_context(ledger.session())
        with reader.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM note")
        change = threading.Thread(target=ledger.run, args=("ALTER TABLE note ADD COLUMN remark VARBINARY(64) NULL",))
        change.start()
        ends.callback(change.join)
        ends.callback(reader.rollback)
        wait_for(lambda: ledger.query("SELECT 1 FROM information_schema.processlist WHERE info LIKE 'ALTER TABLE note%%'"
                                      " AND state LIKE 'Waiting for table%%'"), "an ALTER TABLE that waits")
        yield
        if not change.is_alive():
            raise Untrue("the table was altered long before the end")


def _noted(unit: str) -> Event:
    return snapshot("charge.updated", {"id": unit}, customer=UNLUCKY)


TROUBLES = (
    Trouble("failing", "their effect fails at each try", 1.2, lambda unit: paid_invoice(UNLUCKY, unit=unit), failing),
    Trouble("locked row", "one row that all of them need is locked", 1.3, lambda unit: payment(UNLUCKY, 1, intent=unit), locked_row),
    Trouble("slow effect", f"their effect never ends by itself (`within: {WITHIN * 1000:g}ms`)", 1.3, _noted, slow_effect),
    Trouble("altered table", "an ALTER TABLE holds the table of their effect", 1.3, _noted, altered_table))
