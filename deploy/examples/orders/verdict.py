"""Compares what customers paid, what providers were told, the table of orders, the topic and the shipping service. Pure."""

from __future__ import annotations

from collections import Counter

from deploy.demo.verdict import Check
from deploy.examples.callbacks import Answer, told
from deploy.examples.checks import answered, each_once, faults_happened, none, same, settled
from deploy.examples.orders.books import Books, Message
from deploy.examples.orders.plan import Order, sums
from deploy.examples.orders.providers import SUCCESS


def judge(orders: list[Order], answers: list[Answer], cases: list[tuple[str, str]], books: Books, faults: dict[str, int]) -> list[Check]:
    """`cases` are those that a person had before them: class and order."""
    return [*answered(answers, SUCCESS), *settled(told(answers), books.inbox), *_orders(orders, cases, books), *_messages(orders, books),
            *_sums(orders, books), faults_happened(faults)]


def _orders(orders: list[Order], cases: list[tuple[str, str]], books: Books) -> list[Check]:
    found = {row.no: row for row in books.orders}
    paid = [order for order in orders if order.status == "PAID"]
    refunds = {order.no: one.amount for order in orders for one in order.payments if one.kind == "refunded"}
    return [same("each order ends as its customer left it", {order.no: order.status for order in orders},
                 {row.no: row.status for row in books.orders}),
            none("each paid order was paid by one of its own payments, and the others by none",
                 [order.no for order in orders if (found[order.no].paid_by not in order.numbers if order.numbers
                                                   else found[order.no].paid_by is not None)], of=len(paid)),
            each_once("each wrong amount and each second payment is one case for a person",
                      [(order.case, order.no) for order in orders if order.case], cases),
            none("no case is left when the person has ended them", books.cases, of=len(cases)),
            same("each refund counts once", refunds, {row.no: row.refunded for row in books.orders})]


def _messages(orders: list[Order], books: Books) -> list[Check]:
    paid = [order.no for order in orders if order.status == "PAID"]
    keys = [message.key for message in (*books.told, *books.shipments)]
    return [each_once("each paid order has one message on the topic, and no other order has one",
                      paid, [message.order for message in books.told]),
            each_once("each paid order was shipped once, and no other order was", paid, [one.order for one in books.shipments]),
            none("no two messages have one idempotency key", [key for key, count in Counter(keys).items() if count != 1 or not key],
                 of=len(keys))]


def _sums(orders: list[Order], books: Books) -> list[Check]:
    expected = sums((order.currency, order.amount) for order in orders if order.status == "PAID")

    def of(messages: list[Message]) -> dict[str, int]:
        return sums((one.currency, one.amount) for one in messages)

    return [same("the sums of paid orders are what customers paid", expected,
                 sums((row.currency, row.amount) for row in books.orders if row.status == "PAID")),
            same("the sums on the topic are the same", expected, of(books.told)),
            same("the sums at the shipping service are the same", expected, of(books.shipments))]
