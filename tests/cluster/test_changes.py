"""A configuration that changes makes those pods anew that read it; a key that changes makes none."""

from __future__ import annotations

import json
import secrets

import pytest

from tests.cluster.accounts import Account
from tests.cluster.kube import Kube
from tests.cluster.ledger import effects
from tests.cluster.release import Release
from tests.cluster.traffic import Traffic, send, start_sender, statuses
from tests.support.wait import wait_for

pytestmark = pytest.mark.timeout(400)

# The kubelet brings a Secret that has changed within a minute, and some more where it is busy.
BROUGHT_WITHIN = 180


def test_an_effect_makes_new_consumers_only(release: Release, kube: Kube) -> None:
    before = {part: set(kube.names(part)) for part in ("ingress", "consumer", "retry")}
    with Traffic(release, rate=40) as traffic:
        release.upgrade({"config": {"effects": effects(seconds=0.001)}})
    after = {part: set(kube.names(part)) for part in before}
    assert after["ingress"] == before["ingress"], "no business of the ingress"
    assert not after["consumer"] & before["consumer"] and not after["retry"] & before["retry"]
    traffic.expect_all_taken(at_least=50)
    release.expect_no_loss()


def test_pods_of_before_keep_their_configuration(release: Release, kube: Kube) -> None:
    """Also while somebody changes the release faster than new ones get ready."""
    serving = versions(kube)
    for seconds in (7, 8, 9):
        release.upgrade_at_once({"config": {"consumer": {"drain_within": f"{seconds}s"}}})
    assert serving.items() <= versions(kube).items()
    release.upgrade({})
    assert serving.items() <= versions(kube).items(), "the same file has the same name"
    release.upgrade({"config": {"effects": effects(seconds=0.002)}})
    release.rollback()
    assert serving.items() <= versions(kube).items()
    send(release, 5)
    release.expect_no_loss()


def versions(kube: Kube) -> dict[str, str]:
    """What the consumer's and the retry role's pods of now and of before may mount, by name."""
    found = [each for part in ("consumer", "retry") for each in kube.all("configmap", **{"app.kubernetes.io/component": f"config-{part}"})]
    return {each["metadata"]["name"]: without_revision(each["data"]["sluice.yaml"]) for each in found}


def without_revision(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("effects_revision:"))


def test_a_limit_of_listen_makes_a_new_ingress_only(release: Release, kube: Kube) -> None:
    before = {part: set(kube.names(part)) for part in ("ingress", "consumer", "retry")}
    release.upgrade({"config": {"listen": {"max_connections": 4000}}})
    wait_for(lambda: not set(kube.names("ingress")) & before["ingress"], "a new ingress", within=60)
    assert {part: set(kube.names(part)) for part in ("consumer", "retry")} == {part: before[part] for part in ("consumer", "retry")}


def test_all_accounts_are_rotated_under_load(release: Release, kube: Kube) -> None:
    """As docs/configuration.md says: another one in, the Secrets changed, and the one of before is shut out when pods have the new one."""
    before, old = set(kube.names("consumer")), release.accounts.now
    with Traffic(release, rate=40) as traffic:
        release.accounts.renew()
        release.accounts.grant_once_there_are_tables(within=10)
        wait_for(lambda: is_known_to_pods(release, old), "the new accounts to be brought to the pods", within=BROUGHT_WITHIN, every=5)
        assert set(kube.names("consumer")) == before, "no pod had to be new for that"
        release.upgrade({"rolloutToken": "accounts-2"})  # also for the sessions that Kafka keeps for the accounts of before
        release.accounts.end_others()
        traffic.wait_for(100)
    assert not set(kube.names("consumer")) & before
    traffic.expect_all_taken(at_least=200)
    release.expect_no_loss()
    assert not kube.restarts()
    assert json.loads(kube.ctl("doctor", "--json"))["healthy"]


def is_known_to_pods(release: Release, old: dict[str, Account]) -> bool:
    """Sessions that were ended have come again, and then as whom the mounted Secret names."""
    left = release.accounts.sessions(old)
    for session in left:
        release.servers.database.end_session(session)
    return not left and len(release.accounts.sessions(release.accounts.now)) > 0


def test_a_key_is_rotated_without_a_new_pod(release: Release, kube: Kube) -> None:
    pods = set(kube.names("ingress"))
    new = f"whsec_{secrets.token_hex(24)}"
    kube.secret("shop-next", current=new)
    start_sender(release, "next", secret="shop-next")
    assert statuses(send(release, 5, pod="next")) == {400}, "nobody knows that key yet"
    kube.secret("shop", current=new)
    wait_for(lambda: statuses(send(release, 8, pod="next")) == {200}, "both pods to know the new key", within=BROUGHT_WITHIN, every=2)
    assert set(kube.names("ingress")) == pods and not kube.restarts()
