"""A table so wide that a full batch of its rows has more values than one statement takes: 65,535, by the protocol."""

from __future__ import annotations

import pytest

from tests.support.events import fresh_id, snapshot
from tests.support.pipeline import SOURCE, Pipeline
from tests.support.records import put

pytestmark = pytest.mark.databases("mysql", "mariadb")

CONSUMER = {"workers": 1}
FULL_BATCH = 300
COLUMNS = [f"c{number}" for number in range(65_535 // FULL_BATCH + 2)]
EXTRA_TABLES = [f"CREATE TABLE wide ({', '.join(f'{name} VARBINARY(32) NOT NULL' for name in COLUMNS)})"]
EXTRA_EFFECTS = [
    {"name": "note-widely", "when": {"source": SOURCE, "type": "charge.expired"}, "let": {"charge": "/data/object/id"},
     "insert": {"table": "wide", "row": dict.fromkeys(COLUMNS, ":charge")}}]


def test_full_batch_of_wide_rows_is_applied_at_once(bench: Pipeline) -> None:
    events = [snapshot("charge.expired", {"id": fresh_id("ch")}) for _ in range(2 * FULL_BATCH)]
    put(bench, *events)
    consumer = bench.consumer()
    bench.ledger.expect_applied(*events)
    assert consumer.metric("sluice_consumer_rollbacks_total") == 0, consumer.story()
    [[rows]] = bench.ledger.query("SELECT COUNT(*) FROM wide")
    assert rows == len(events)
