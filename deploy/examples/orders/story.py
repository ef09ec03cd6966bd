"""What a person sees of it. Text out."""

from __future__ import annotations

from collections import Counter

from deploy.demo.report import table
from deploy.examples.callbacks import Answer
from deploy.examples.orders.books import Books
from deploy.examples.orders.plan import Order, sums


def rush(answers: list[Answer], state: str, cases: int, shipped: int) -> str:
    said = Counter((one.callback.source, f'{one.status} "{one.body}"') for one in answers)
    lines = [f"  {source}: {count} callbacks answered {answer}" for (source, answer), count in sorted(said.items())]
    return "\n".join([*lines, f"  the order is {state}; {cases} case for a person; shipped {shipped} time"])


def totals(orders: list[Order], books: Books) -> str:
    expected = sums((order.currency, order.amount) for order in orders if order.status == "PAID")
    found = [("customers paid", sum(order.status == "PAID" for order in orders), expected),
             ("orders that are PAID", sum(row.status == "PAID" for row in books.orders),
              sums((row.currency, row.amount) for row in books.orders if row.status == "PAID")),
             (f"on the topic ({len(books.records)} records)", len(books.told), sums((one.currency, one.amount) for one in books.told)),
             ("shipped", len(books.shipments), sums((one.currency, one.amount) for one in books.shipments))]
    currencies = sorted(expected)
    return table(["", "orders", *currencies], [[what, count, *(f"{total.get(each, 0) / 100:.2f}" for each in currencies)]
                                              for what, count, total in found])
