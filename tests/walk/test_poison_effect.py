"""A deploy breaks one effect: all its events fail."""

from __future__ import annotations

import copy
import json

from tests.support.effects import WANTS_A_ROW
from tests.support.wait import wait_for
from tests.walk.walk import Walk

EFFECT = WANTS_A_ROW["name"]
# Their pages lead to the same end; what had died is late when it is applied.
SAY_THE_SAME = {"SluiceDlqInflow", "SluiceManyAttemptsFail", "SluiceLagLong"}


def test_effect_that_a_deploy_broke(walk: Walk) -> None:
    walk.begin()
    walk.installation.upgrade("Upgrade complete", break_effect)
    walk.traffic.make = walk.traffic.payments_and_invoices
    alarm, page = walk.woken_by("SluiceEffectGivesUp", SAY_THE_SAME)
    assert alarm.labels["effect"] == EFFECT

    page.section("Diagnosis")
    listed = walk.types(page.command("get pods"))
    pods = [line.split()[0] for line in listed.splitlines() if line.startswith("sluice-consumer")]
    ready = page.command("ready POD")
    assert any("effects: too many dead letters" in said and EFFECT in said for said in (walk.types(ready, POD=pod) for pod in pods))
    assert f"effect {EFFECT}: " in walk.types(page.command("logs", "dead|retried"))
    assert "park" in walk.types(page.command("dlq list"))
    assert "Upgrade complete" in walk.types(page.command("helm history")).splitlines()[-1]

    page.section("Mitigation")
    walk.types(page.command("helm rollback"))
    end_what_had_died(walk, page.told("Do not `retry` and do not `skip` before it works").follow("a deploy that fixes the effect"))

    page.section("Verification")
    ready = page.command("ready POD")
    for pod in walk.installation.of("consumer"):
        assert walk.types(ready, POD=pod.name) == "effects: ok\n"
    waiting = page.command("lane list")
    wait_for(lambda: "waiting" not in walk.types(waiting), "nothing to wait", 60)
    walk.over("SluiceEffectGivesUp", SAY_THE_SAME)


def break_effect(config: dict) -> None:
    """What it does with the row that it matches is wrong."""
    broken = copy.deepcopy(WANTS_A_ROW)
    broken["sql"][0]["rows"] = {1: "park"}
    config["effects"][-1] = broken


def end_what_had_died(walk: Walk, page) -> None:
    """The section on a deploy that fixes the effect, from its third step."""
    page.told("**One first.**")
    oldest = min(entry["id"] for entry in entries(walk))
    assert "carried out 1, refused 0, dead again 0" in walk.types(page.command("dlq retry 5"), **{" 5 ": f" {oldest} "})
    page.told("**All of them.**")
    its_effect = {"credit-wallet": EFFECT}  # the page's
    assert "Nothing was done yet. --apply does it." in walk.types(page.command("dlq retry --effect"), **its_effect)
    assert "refused 0, dead again 0" in walk.types(page.command("dlq retry --effect", "--apply"), **its_effect)
    page.told("**It is over**")
    assert walk.types(page.command("dlq list")) == "No entries.\n"
    last = page.command("lane list")
    wait_for(lambda: "quarantined" not in walk.types(last), "no object to be held", 60)


def entries(walk: Walk) -> list[dict]:
    return json.loads(walk.types("sluicectl dlq list --json"))["entries"]
