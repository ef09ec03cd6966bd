"""The effects of the workload, and what each event has to do to the ledger, worked out from its body alone."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

from tests.chaos import shop
from tests.support.effects import EFFECTS, SOURCE

# Its table has a key of its own: a 1062 of an effect is no duplicate event.
RECEIPT = {
    "name": "write-receipt",
    "when": {"source": SOURCE, "type": "invoice.paid"},
    "let": {"customer": "/data/object/customer", "number": "/data/object/number"},
    "sql": [
        {"run": "INSERT INTO receipt (number, event) VALUES (:number, :event_id)", "rows": {1: "done"}},
        {"run": "UPDATE wallet SET balance = balance + 1 WHERE customer = :customer", "rows": {1: "done", 0: "defer"}},
        {"run": "INSERT INTO wallet_entry (event, customer, amount) VALUES (:event_id, :customer, 1)", "rows": {1: "done"}}]}

# Beside the wallet: the payment with the greatest id stays, whatever came when.
NEWEST = {
    "name": "keep-newest",
    "when": {"source": SOURCE, "type": "payment_intent.succeeded"},
    "mirror": {"table": "newest_payment", "key": {"id": "/data/object/id"},
               "columns": {"amount": {"pointer": "/data/object/amount", "as": "int64"}}, "newer": {"by_event": ":event_id"}}}

# Which revision of the effects wrote an entry.
TABLES = [*shop.TABLES,
          "CREATE TABLE newest_payment (id VARBINARY(255) PRIMARY KEY, amount BIGINT NULL, by_event VARBINARY(255) NOT NULL)",
          "ALTER TABLE wallet_entry ADD revision INT NOT NULL DEFAULT 0",
          "CREATE TABLE receipt (number VARBINARY(64) PRIMARY KEY, event VARBINARY(255) NOT NULL)"]

# How long the entries of a customer take to be written.
SLOW_TABLES = [
    "CREATE TABLE slow_customer (customer VARBINARY(64) NOT NULL, seconds DOUBLE NOT NULL)",
    "CREATE TRIGGER slow_entry BEFORE INSERT ON wallet_entry FOR EACH ROW BEGIN DECLARE pause DOUBLE;"
    " SELECT MAX(seconds) INTO pause FROM slow_customer WHERE customer = NEW.customer;"
    " IF pause > 0 THEN DO SLEEP(pause); END IF; END"]


def all_effects(revision: int = 0, sources: Sequence[str] = (SOURCE,)) -> list[dict]:
    """Those of one revision, which signs the entries that it writes."""
    effects = copy.deepcopy([*EFFECTS, RECEIPT, NEWEST, *shop.SET_BASED, *shop.OF_ORDERS])
    for effect in effects:
        effect["when"]["source"] = list(sources)
        if "insert" in effect:
            effect["insert"]["row"]["revision"] = revision
        for statement in effect.get("sql", []):
            statement["run"] = statement["run"].replace("wallet_entry (event, customer, amount) VALUES (", f"wallet_entry (revision, event, customer, amount) VALUES ({revision}, ")
    return effects


@dataclass(frozen=True)
class State:
    """A row that the newest event of it keeps."""

    row: str
    rank: tuple                     # the greatest stays
    shown: tuple[str, int | None]   # event and amount


@dataclass(frozen=True)
class Effect:
    """What an event does when it is applied. `fate`: moves, mail, ignored, dead, receipt (one of a number moves, the others are dead),
    order (one of a number pays it, the others are cases) or case."""

    fate: str
    customer: str = ""
    amount: int = 0
    number: str = ""
    book: str = "ledger"  # which has the amount: ledger or bookings
    state: State | None = None
    begins: bool = False  # its object shows it as the last one that did

    @property
    def lets_pass(self) -> bool:
        """Later events of its object, where it is dead."""
        return self.fate in ("order", "case")


def effect_of(document: dict) -> Effect:
    thing = document.get("data", {}).get("object", {})
    customer = thing.get("customer", "")
    match document["type"]:
        case "payment_intent.succeeded" if isinstance(thing["amount"], int):
            event = document["id"]
            return Effect("moves", customer, thing["amount"], state=State(thing["id"], (event,), (event, thing["amount"])))
        case "payment_intent.succeeded":
            return Effect("dead")
        case "charge.refunded":
            return Effect("moves", customer, document["data"]["previous_attributes"]["amount_refunded"] - thing["amount_refunded"])
        case "invoice.payment_failed":
            return Effect("mail", customer)
        case "invoice.paid":
            return Effect("receipt", customer, 1, thing["number"])
        case shop.PAYS:
            return Effect("order" if thing["amount"] == shop.price_of(thing["order"]) else "case", number=thing["order"])
        case name if name.startswith(shop.SUBSCRIPTION):
            return Effect("moves", customer, thing["amount"], book="bookings", begins=name == shop.BEGINS,
                          state=_item(document["id"], thing, name == shop.ENDS))
        case _:
            return Effect("ignored")


def _item(event: str, thing: dict, ends: bool) -> State:
    return State(thing["item"], (ends, thing["version"], event), (event, None if ends else thing["amount"]))
