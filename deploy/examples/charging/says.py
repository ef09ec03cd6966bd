"""What a person sees of it. Text out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from deploy.demo.report import table
from deploy.examples.charging.books import Books
from deploy.examples.charging.plan import HOT, Plan
from deploy.examples.charging.traffic import Traffic

KINDS = ("small", "hot, accepted", "hot, at once", "replay", "look-up", "tells nothing")


def answers(traffic: Traffic) -> str:
    """Counts by status, and how long half and 99 of 100 took. What tells nothing is sent again, so it has no times."""
    statuses = sorted({status for _, status in traffic.answers})
    head = ["answers", *(str(status) if status else "none" for status in statuses), "p50 ms", "p99 ms"]
    return table(head, [[kind, *(traffic.answers[kind, status] or "" for status in statuses), *times(traffic.ms.get(kind, ()))]
                        for kind in KINDS if any(traffic.answers[kind, status] for status in statuses)])


def times(ms: Sequence[float]) -> list[str]:
    ordered = sorted(ms)
    return [f"{ordered[len(ordered) * percent // 100]:.1f}" if ordered else "" for percent in (50, 99)]


def merchants(plan: Plan, books: Books) -> str:
    """The two hot ones, and all others together."""
    clicks, small = Counter(click.merchant for click in plan.clicks), [name for name in plan.balances if name not in HOT]
    columns = (clicks, plan.balances, plan.asked, books.sums, books.balances)
    groups = {**{name: [name] for name in HOT}, f"{len(small)} others": small}
    return table(["merchant", "clicks", "start", "asked", "charged", "left"],
                 [[name, *(sum(column.get(one, 0) for one in group) for column in columns)] for name, group in groups.items()])
