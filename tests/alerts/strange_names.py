"""Names in a query that nobody exports."""

from __future__ import annotations

import exported
import promql
from rules import recorded


def strange(expression: str) -> list[str]:
    """What it names that nobody exports: series, and labels that a series does not have."""
    reading = promql.read(expression)
    found, labels = [], set(exported.TARGET_LABELS)
    for selector in reading.selectors:
        metric = exported.by_series().get(selector.series)
        if metric is None and selector.series not in recorded():
            found.append(selector.series)
        elif metric is not None:
            known = metric.labels | exported.TARGET_LABELS | ({"le"} if metric.kind == "histogram" else set())
            found += [f"{selector.series}: {label}" for label in selector.labels - known]
            labels |= known
        else:
            labels |= {label for metric in exported.ours().values() for label in metric.labels}
    return found + [f"by {label}" for label in reading.grouped - labels]
