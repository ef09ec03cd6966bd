"""One payment has event after event."""

from __future__ import annotations

import json

from tests.support.events import fresh_id, payment
from tests.walk.walk import Walk

EVENTS = 15


def test_object_that_is_hot(walk: Walk) -> None:
    walk.begin()
    unit = fresh_id("pi")
    hot = [payment(walk.traffic.customer, number, intent=unit) for number in range(1, EVENTS + 1)]
    walk.traffic.send(*hot)
    alarm, page = walk.woken_by("SluiceObjectBurst")
    assert alarm.labels["provider"] == "stripe"

    page.section("Diagnosis")
    [burst] = [json.loads(line) for line in walk.types(page.command("logs consumer", "object_burst")).splitlines()]
    assert unit in json.dumps(burst)
    assert "done" in walk.types(page.command("event show"), EVENT=hot[0].id)

    page.section("Mitigation").told("A burst: look the object up at the provider.").told("Others are not delayed by it.")
    page.section("Verification")
    assert walk.types(page.command("dlq list --kind conflict"), ENTRY="1") == "No entry.\n"
    walk.over("SluiceObjectBurst")
