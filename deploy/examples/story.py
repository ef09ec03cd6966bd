"""What a person sees of every example. Text out."""

from __future__ import annotations

from collections import Counter

from deploy.demo.report import table
from deploy.examples.callbacks import Answer


def answers(given: list[Answer]) -> str:
    counts = Counter((one.callback.source, one.callback.genuine, one.status) for one in given)
    statuses = sorted({status for _, _, status in counts})
    sources = sorted({source for source, _, _ in counts})
    return table(["callbacks", "", *map(str, statuses)],
                 [[source, "genuine" if genuine else "forged", *(counts[source, genuine, status] or "" for status in statuses)]
                  for source in sources for genuine in (True, False) if any(counts[source, genuine, status] for status in statuses)])


def faults(counts: dict[str, int]) -> str:
    return table(["fault", "times"], list(counts.items()))
