"""A source with `poll`: each part knows that it is polled, and none but the poller has the key of the provider's API or what else is in there."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml

from chart import LEAST, Rendered, over, refusal, render, values_of
from test_configmap import as_mounted, check
from test_notes import notes
from test_tools import secrets_of as mounted

KEY = {"file": "/run/secrets/stripe-api/key"}
WEBHOOK = LEAST["config"]["sources"][0]
LIST = {"name": "the-list", "recipe": WEBHOOK["recipe"], "principal": WEBHOOK["principal"], "poll": {"key": KEY, "since": "30d"}}
EVERY_PART = over(values_of("messages"), {"ctl": {"enabled": True, "sourceSecrets": True}, "selftest": {"enabled": False}})


def with_list(*values: dict, **poll: object) -> dict:
    polled = {**LIST, "poll": {**LIST["poll"], **poll}}
    return over(EVERY_PART, {"config": {"sources": [WEBHOOK, polled]}}, *values)


@pytest.fixture(scope="module")
def release() -> Rendered:
    return render(with_list())


def pods_of(release: Rendered) -> dict[str, dict]:
    return {f"{each['kind']} {each['metadata']['name']}": each["spec"]["template"]
            for kind in ("Deployment", "Job") for each in release.all(kind)}


def test_no_pod_but_the_pollers_has_the_key(release: Rendered) -> None:
    pods = pods_of(release)
    having = {name for name, template in pods.items() if "stripe-api" in yaml.safe_dump(template)}
    assert len(pods) >= 9 and having == {"Deployment sluice-poller", "Job sluice-check-poller"}
    assert all("stripe-api" in mounted(pods[name]["spec"]) for name in having)


@pytest.mark.parametrize("part", ["consumer", "retry", "relay"])
def test_programs_take_the_file_of_their_pods(release: Rendered, part: str, tmp_path: Path) -> None:
    [volume] = [each for each in release.pod(part)["volumes"] if each["name"] == "config"]
    text = release.config(volume["configMap"]["name"])
    polls = [source.get("poll") for source in yaml.safe_load(text).get("sources", [])]
    assert polls == ([] if part == "relay" else [None, {}])
    result = check("sluice-consumer", as_mounted(text, tmp_path), *release.container(part).get("args", []))
    assert result.returncode == 0, result.stderr


def test_the_ingress_takes_its_file_without_the_key(release: Rendered, tmp_path: Path) -> None:
    file = as_mounted(release.config(), tmp_path)
    (tmp_path / "stripe-api/key").unlink()
    assert check("sluice-ingress", file).returncode == 0


def test_pods_are_made_anew_for_another_polled_source_and_not_for_another_key(release: Rendered) -> None:
    def stamps(one: Rendered) -> dict[str, object]:
        return {name: template["metadata"]["annotations"]["sluice/config"] for name, template in pods_of(one).items()
                if name.startswith("Deployment")}

    before, rekeyed = stamps(release), stamps(render(with_list(key={"file": "/run/secrets/other/key"}, since="1d")))
    without = copy.deepcopy(EVERY_PART)
    without["config"]["sources"] = [WEBHOOK]
    unpolled = stamps(render(without))
    poller = "Deployment sluice-poller"
    assert len(before) >= 5 and {name for name in before if before[name] != rekeyed[name]} == {poller}
    assert {name for name in before if before[name] != unpolled.get(name)} == set(before) - {"Deployment sluice-relay"}


def test_a_key_as_text_is_refused() -> None:
    assert "sources[1].poll.key contains a secret" in refusal(with_list(key="rk_live_1"))


def test_nobody_is_told_of_an_address(tmp_path: Path) -> None:
    assert WEBHOOK["name"] in (said := notes(with_list(), tmp_path)) and LIST["name"] not in said
    exposed = {"expose": {"paths": [f"/v1/webhooks/{WEBHOOK['name']}"], "ingress": {"enabled": True, "className": "nginx", "hosts": ["hooks.example.com"],
                          "tls": [{"secretName": "hooks-tls", "hosts": ["hooks.example.com"]}]}}}
    render(with_list(exposed))
