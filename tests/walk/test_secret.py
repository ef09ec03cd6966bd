"""The provider signs with a new secret, and nobody has told us."""

from __future__ import annotations

import secrets

from tests.support.wait import wait_for
from tests.walk.installation import FIRST_KEY
from tests.walk.walk import Walk

NEW_KEY = "2026-11"


def test_secret_rotated_on_one_side(walk: Walk) -> None:
    walk.begin()
    walk.traffic.provider.secret = f"whsec_{secrets.token_hex(24)}"
    alarm, page = walk.woken_by("SluiceSecretWrong")
    source = alarm.labels["source"]

    page.section("Diagnosis")
    assert " \"reason\":\"signature_mismatch\"" in walk.types(page.command("logs ingress", "refused_signature"), NAME=source)
    page.told("`signature_mismatch` | no live key matches this signature: another secret")

    page.section("Mitigation").told("put the new one beside the old one under a new `id`, `not_after` on the old one")
    put_beside(walk, source, page.yaml()["keys"])
    page.told("Then ask the provider to send the failed deliveries of this time again")
    wait_for(lambda: send_again(walk), "all that was refused to be taken", 60)

    page.section("Verification")
    count = page.command("logs ingress", "accepted")
    before = int(walk.types(count, NAME=source))
    wait_for(lambda: int(walk.types(count, NAME=source)) > before, "it to grow", 60)
    assert walk.types(page.command("dlq list --kind unreadable"), NAME=source) == "No entries.\n"
    walk.over("SluiceSecretWrong")


def put_beside(walk: Walk, source: str, keys: list[dict]) -> None:
    """The block of the page, with the paths of our two secrets."""
    assert [key["id"] for key in keys] == [NEW_KEY, FIRST_KEY]
    new, old = keys
    new["value"]["file"] = walk.installation.secret_file(NEW_KEY, walk.traffic.provider.secret)
    old["value"]["file"] = walk.installation.secret_file(FIRST_KEY, walk.pipeline.secret)

    def change(sources: list[dict]) -> None:
        [ours] = [one for one in sources if one["name"] == source]
        ours["keys"] = keys
    walk.installation.edit_sources(change)


def send_again(walk: Walk) -> bool:
    walk.traffic.send_refused_again()
    return walk.traffic.refused == 0
