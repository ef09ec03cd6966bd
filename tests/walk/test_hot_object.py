"""One payment has event after event."""

from __future__ import annotations

import json

from tests.support.events import fresh_id, payment
from tests.support.wait import wait_for
from tests.walk.walk import Walk

EVENTS = 15
MEANWHILE = 60  # events of others before somebody looks: the line is not among the last of its pod any more


def test_object_that_is_hot(walk: Walk) -> None:
    walk.begin()
    unit = fresh_id("pi")
    hot = [payment(walk.traffic.customer, number, intent=unit) for number in range(1, EVENTS + 1)]
    walk.traffic.send(*hot)
    alarm, page = walk.woken_by("SluiceObjectBurst")
    assert alarm.labels["provider"] == "stripe"
    seen = len(walk.traffic.taken)
    wait_for(lambda: len(walk.traffic.taken) >= seen + MEANWHILE, "time to pass", 90)

    page.section("Diagnosis")
    [burst] = [json.loads(line) for line in walk.types(page.command("logs consumer", "object_burst")).splitlines()]
    assert unit in json.dumps(burst)
    assert "done" in walk.types(page.command("event show"), EVENT=hot[0].id)

    page.section("Mitigation").told("A burst: look the object up at the provider.").told("Others are not delayed by it.")
    page.section("Verification")
    assert walk.types(page.command("dlq list --kind conflict"), ENTRY="1") == "No entries.\n"
    walk.over("SluiceObjectBurst")
