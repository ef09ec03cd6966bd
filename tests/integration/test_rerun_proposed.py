"""`event rerun --propose`: what one operator proposes another one sends, as it was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_two_operators import actions, approved, two_for

from tests.support.events import unmatched
from tests.support.operators import REASON
from tests.support.pipeline import Pipeline
from tests.support.records import put_records, record_of
from tests.support.trouble import dedup_key_of

pytestmark = pytest.mark.databases("mysql", "mariadb")


def test_rerun_that_one_proposed_is_sent_by_another(bench: Pipeline, tmp_path: Path) -> None:
    event = unmatched()
    put_records(bench, record_of(event, secret=bench.secret, sluice_dedup_key=dedup_key_of(event.id).hex()))
    bench.consumer()
    bench.ledger.expect_status(event, "ignored")
    bench.end_programs()
    two_for(bench, "edit")
    bench.config["effects"] += [{"name": name, "when": {"source": "stripe-eu", "type": event.type},
                                 "sql": [{"run": f"INSERT INTO email_request (event, customer, address) VALUES (:event_id, '', '{name}')",
                                          "rows": {1: "done"}}]} for name in ("asked-for", "not-asked-for")]
    bench.consumer(role="both")
    before = bench.log.count(bench.commands)
    file = tmp_path / "rerun.json"
    said = bench.ctl("event", "rerun", event.id, "--effect", "asked-for", *REASON, "--propose", str(file), "--json")
    assert said.returncode == 0 and json.loads(said.stdout)["proposed"] == 1, said.stdout + said.stderr
    assert "kim proposes to rerun --effect asked-for 1" in bench.ctl("dlq", "approve", str(file)).stdout
    assert bench.log.count(bench.commands) == before, "neither has sent anything"
    assert approved(bench, file)["carried_out"] == 1
    bench.ledger.expect_status(event, "done")
    assert bench.ledger.query("SELECT address FROM email_request WHERE event = %s", event.id.encode()) == [("asked-for",)]
    assert actions(bench, event) == [("rerun", "carried_out", None, "kim", "the wallet is there", "bob", "seen at the provider")]
