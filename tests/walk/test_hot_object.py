"""One payment has event after event."""

from __future__ import annotations

from tests.support.events import fresh_id, payment
from tests.walk.walk import Walk

EVENTS = 15


def test_object_that_is_hot(walk: Walk) -> None:
    walk.pipeline.record_callbacks()
    walk.begin()
    unit = fresh_id("pi")
    hot = [payment(walk.traffic.customer, intent=unit) for _ in range(EVENTS)]
    walk.traffic.send(*hot)
    alarm, page = walk.woken_by("SluiceAnomalies")
    assert alarm.labels["kind"].startswith("burst_")

    page.section("Diagnosis")
    listed = walk.types(page.command("anomaly list"))
    [key] = {word for word in listed.split() if unit in word}
    assert str(EVENTS) in listed
    assert hot[0].id in walk.types(page.command("callback list --object"), KEY=key)

    page.section("Mitigation").told("look the object up at the provider.").told("Others are not delayed by it.")
    page.section("Verification")
    assert "accepted" in walk.types(page.command("callback list --since"))
    walk.over("SluiceAnomalies")
