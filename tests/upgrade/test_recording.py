"""Only with --record: what the release before writes to Kafka, kept for tests/integration/test_earlier_release.py."""

from __future__ import annotations

import pytest

from tests.support.events import fresh_id, paid_invoice, payment
from tests.support.lanes import open_dead_letters, waiting_in
from tests.support.pipeline import Pipeline
from tests.support.wait import wait_for
from tests.upgrade import recorded
from tests.upgrade.releases import OLD, ctl, start
from tests.upgrade.traffic import Traffic, captured


def test_what_the_release_before_writes(new_pipeline, pytestconfig: pytest.Config) -> None:
    if not pytestconfig.getoption("--record"):
        pytest.skip("only with --record")
    pipeline: Pipeline = new_pipeline(partitions=1).prepare()
    traffic = Traffic(pipeline)
    provider = pipeline.provider(start(pipeline, "ingress", OLD))
    start(pipeline, "consumer", OLD)
    start(pipeline, "retry_role", OLD)
    well, dead, waiting = payment(traffic.well, 7), captured(traffic.late, fresh_id("ch")), paid_invoice(traffic.late)
    for event in (well, dead, waiting):
        provider.deliver(event).expect(200)
    wait_for(lambda: open_dead_letters(pipeline) and waiting_in(pipeline, waiting), "one to be dead and one to wait")
    traffic.heal()
    ctl(pipeline, OLD, "dlq", "retry", "1", "--operator", "ada", "--reason", "the wallet is there", "--apply", "--wait", "30")
    unreadable = b'{"object": "event", "type": "charge.captured"}'
    assert provider.post(unreadable, provider.headers(unreadable)).status == 200
    wait_for(lambda: all(pipeline.log.count(recorded.topic_of(pipeline, role)) for role in recorded.ROLES), "a record of each kind")
    recorded.write(pipeline, secret=pipeline.secret, well=[well.id, well.customer], dead=[dead.id, dead.object], late=traffic.late,
                   waiting=[waiting.id, waiting.object])
