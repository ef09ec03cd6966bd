"""Subscriptions and orders: effects of every kind but `sql`, their tables, and what an event does to them by its body alone. Pure.

Events of subscriptions meet set-based effects only, so they are written in batches: each event is inserted and added to its customer's sum,
the newest of an item stays, and a creation is set as its subscription's last one. Only some are set: a batch sets a row once, so that
events of one subscription would never be in one batch. Of each a message tells a topic, and of each creation a URL. Orders are paid once (`decide`) and get their codes (the handler).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.support.effects import SOURCE

SUBSCRIPTION, PAYS = "customer.subscription.", "checkout.session.completed"
BEGINS, CHANGES, ENDS = (f"{SUBSCRIPTION}{what}" for what in ("created", "updated", "deleted"))
ORDERS, PRODUCTS, CODES = 30, 3, 40  # codes: of each product, enough for all its orders
TOLD, BEGUN = "told", "begun"  # destinations: a topic, by customer, and a URL, by subscription
PAID_TWICE, OTHER_AMOUNT = "paid_twice", "amount_mismatch"

_ITEM = {"item": "/data/object/item", "version": {"pointer": "/data/object/version", "as": "int64"}}
_AMOUNT = {"amount": {"pointer": "/data/object/amount", "as": "int64"}}
_STATE = {"table": "item", "key": {"item": ":item"}, "newer": [{"version": ":version"}, {"by_event": ":event_id"}]}

SET_BASED = [
    {"name": "book", "when": {"source": SOURCE, "type": f"{SUBSCRIPTION}*"}, "let": {"customer": "/data/object/customer", **_AMOUNT},
     "insert": {"table": "booking", "row": {"event": ":event_id", "customer": ":customer", "amount": ":amount", "revision": 0}},
     "add": {"table": "booked", "key": {"customer": ":customer"}, "column": "amount", "by": ":amount"},
     "send": {"to": TOLD, "key": ":customer", "body": {"event": ":event_id", "amount": ":amount"}}},
    {"name": "begin", "when": {"source": SOURCE, "type": BEGINS},
     "set": {"table": "subscription", "key": {"id": ":object"}, "row": {"event": ":event_id"}},
     "send": {"to": BEGUN, "body": {"event": ":event_id"}}},
    {"name": "keep-item", "when": {"source": SOURCE, "type": [BEGINS, CHANGES]}, "let": {**_ITEM, **_AMOUNT},
     "upsert": {**_STATE, "row": {"amount": ":amount"}, "tombstone": "ended_by"}},
    {"name": "end-item", "when": {"source": SOURCE, "type": ENDS}, "let": _ITEM,
     "upsert": {**_STATE, "row": {"amount": None}, "tombstone": {"ended_by": ":event_id"}}}]

OF_ORDERS = [
    {"name": "pay-order", "when": {"source": SOURCE, "type": PAYS}, "let": {"no": "/data/object/order", **_AMOUNT}, "after_case": "pass",
     "decide": {"select": f"SELECT CASE WHEN amount <> :amount THEN 'park:{OTHER_AMOUNT}' WHEN event IS NULL THEN 'done'"
                          f" WHEN event = :event_id THEN 'park' ELSE 'park:{PAID_TWICE}' END FROM shop_order WHERE no = :no FOR UPDATE"},
     "set": {"table": "shop_order", "key": {"no": ":no"}, "row": {"event": ":event_id"}}},
    {"name": "give-codes", "when": {"source": SOURCE, "type": PAYS},
     "let": {"reference": "/data/object/order", "transaction": {"event": "event_id"}, **_AMOUNT, "currency": {"value": "EUR"}},
     "handler": "give_vouchers"}]

VOUCHER_TABLES = [
    "CREATE TABLE voucher_order (order_no VARCHAR(64) PRIMARY KEY, product VARCHAR(64) NOT NULL, quantity INT NOT NULL,"
    " amount BIGINT NOT NULL, currency CHAR(3) NOT NULL, status VARCHAR(16) NOT NULL DEFAULT 'PENDING',"
    " paid_by VARCHAR(255) NULL)",
    "CREATE TABLE voucher (code VARCHAR(32) PRIMARY KEY, product VARCHAR(64) NOT NULL, order_no VARCHAR(64) NULL,"
    " KEY free_codes (product, order_no, code))"]

TABLES = [
    "CREATE TABLE booking (seq BIGINT AUTO_INCREMENT PRIMARY KEY, event VARBINARY(255) NOT NULL, customer VARBINARY(64) NOT NULL,"
    " amount BIGINT NOT NULL, revision INT NOT NULL)",
    "CREATE TABLE booked (customer VARBINARY(64) PRIMARY KEY, amount BIGINT NOT NULL DEFAULT 0)",
    "CREATE TABLE subscription (id VARBINARY(255) PRIMARY KEY, event VARBINARY(255) NULL)",
    "CREATE TABLE item (item VARBINARY(255) PRIMARY KEY, amount BIGINT NULL, version BIGINT NOT NULL, by_event VARBINARY(255) NOT NULL,"
    " ended_by VARBINARY(255) NULL)",
    "CREATE TABLE shop_order (no VARBINARY(64) PRIMARY KEY, amount BIGINT NOT NULL, event VARBINARY(255) NULL)",
    *VOUCHER_TABLES]


def order_name(number: int) -> str:
    return f"O-{number}"


def price_of(order: str) -> int:
    return 1000 + _number(order)


def quantity_of(order: str) -> int:
    return 1 + _number(order) % 3


def product_of(order: str) -> str:
    return f"p{_number(order) % PRODUCTS}"


def code_name(product: str, number: int) -> str:
    return f"{product}-{number:03}"


def rows(customers: Iterable[str], subscriptions: Iterable[str]) -> Iterator[str]:
    """Statements that make what effects change."""
    yield from (f"INSERT INTO booked (customer) VALUES ('{customer}')" for customer in customers)
    yield from (f"INSERT INTO subscription (id) VALUES ('{unit}')" for unit in subscriptions)
    for order in map(order_name, range(ORDERS)):
        yield f"INSERT INTO shop_order (no, amount) VALUES ('{order}', {price_of(order)})"
        yield (f"INSERT INTO voucher_order VALUES ('{order}', '{product_of(order)}', {quantity_of(order)}, {price_of(order)}, 'EUR',"
               " 'PENDING', NULL)")
    for product in sorted({product_of(order_name(number)) for number in range(ORDERS)}):
        codes = ", ".join(f"('{code_name(product, number)}', '{product}', NULL)" for number in range(CODES))
        yield f"INSERT INTO voucher VALUES {codes}"


def _number(order: str) -> int:
    return int(order.removeprefix("O-"))
