"""docs/metrics.md and what the sources register are the same. tests/integration compares it with programs that run."""

from __future__ import annotations

import exported


def test_the_page_lists_what_the_sources_register() -> None:
    sources, page = exported.registered(), {name: metric.kind for name, metric in exported.ours().items()}
    assert not set(sources) - set(page), "not on docs/metrics.md"
    assert not set(page) - set(sources), "on docs/metrics.md alone"
    assert page == sources


def test_a_metric_stands_on_the_page_once() -> None:
    names = [cells[0] for _, cells in exported.rows()]
    assert len(names) == len(set(names))


def test_no_label_could_hold_an_id() -> None:
    forbidden = {"id", "event", "object", "event_id", "object_id", "customer", "tenant", "path", "reason_text", "trace"}
    assert not [metric.name for metric in exported.ours().values() if metric.labels & forbidden]
