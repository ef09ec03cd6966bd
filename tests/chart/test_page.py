"""docs/kubernetes.md says numbers that stand elsewhere."""

from __future__ import annotations

import re

import pytest
import yaml

from chart import CHART, TREE, refusal, render

PAGE = (TREE / "docs" / "kubernetes.md").read_text()


@pytest.mark.parametrize("file,constant,said", [
    ("common/webhook/gate/head.hpp", "max_head_bytes = 16 * 1024;", "16 KiB of head"),
    ("common/webhook/recipe/source.hpp", "max_body = 512 * 1024;", "512 KiB of body"),
    ("common/webhook/recipe/source.hpp", "answer_within{4000}", "`answer_within` (4 s)"),
    ("common/config/settings/connections.hpp", "Milliseconds idle{30'000};", "closed after 30 s (`listen.idle`)")])
def test_what_stands_before_the_ingress_is_told_its_bounds(file: str, constant: str, said: str) -> None:
    assert constant in (TREE / file).read_text() and said in PAGE


def test_the_values_of_the_page_are_values_of_the_chart() -> None:
    """Whole blocks of YAML: each of them renders."""
    blocks = re.findall(r"^( *)```yaml\n(.*?)^ *```", PAGE, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 3
    for indent, text in blocks:
        render(yaml.safe_load("\n".join(line.removeprefix(indent) for line in text.splitlines())))


def test_keys_that_the_page_names_exist() -> None:
    values = (CHART / "README.md").read_text()
    named = set(re.findall(r"`((?:ingress|consumer|retry|relay|poller|command|booker|ctl|check|migrate|topics|expose|networkPolicy|monitoring|selftest|pod)\.[A-Za-z.]+[A-Za-z])[:`]", PAGE))
    programs = {"consumer.workers", "command.workers", "command.topic", "command.group"}  # of sluice.yaml
    missing = [name for name in named - programs if f"`{name}`" not in values and f"`{name.split('.')[0]}.{name.split('.')[1]}`" not in values]
    assert named and not missing


def test_a_pod_stays_as_long_as_the_table_of_load_balancers_says() -> None:
    """Each row is a pair of values that the chart takes; one second less of grace would cut requests off."""
    table = PAGE.partition("| load balancer | when it stops |")[2].partition("\n\n")[0]
    rows = {(int(sleep), int(grace)) for sleep, grace in re.findall(r"\| (\d+) \| (\d+) \|$", table, re.MULTILINE)}
    assert len(rows) == 5
    for sleep, grace in rows:
        render({"ingress": {"preStopSleepSeconds": sleep, "terminationGracePeriodSeconds": grace}})
        assert grace - sleep in (35, 40), "40 is the standard"
    assert "draining may take 155" in refusal({"ingress": {"preStopSleepSeconds": 120, "terminationGracePeriodSeconds": 154}})
    for page in re.findall(r"ingress: \{preStopSleepSeconds: (\d+), terminationGracePeriodSeconds: (\d+)\}", PAGE):
        assert tuple(map(int, page)) in rows


def test_the_grants_of_the_self_test_are_the_optional_ones_of_security() -> None:
    """They are comments there, so that who pastes the block does not give them by accident."""
    optional = re.findall(r"^-- (GRANT .*;)$", (TREE / "SECURITY.md").read_text(), re.MULTILINE)
    assert len(optional) == 2 and re.findall(r"^GRANT .*;$", PAGE, re.MULTILINE) == optional


def test_the_command_of_the_page_finds_all_jobs() -> None:
    [label, value] = re.search(r"delete jobs -l (\S+)=(\S+)$", PAGE, re.MULTILINE).groups()
    jobs = render({"topics": {"mode": "job"}}).all("Job")
    assert {job["metadata"]["labels"]["app.kubernetes.io/component"] for job in jobs} == {"check", "migrate", "topics", "effects"}
    assert all(job["metadata"]["labels"][label] == value for job in jobs)
    assert not [job for job in jobs if "ttlSecondsAfterFinished" in job["spec"]], "Argo CD would make them anew for ever"


def test_on_calls_pod_is_replaced_with_those_that_the_page_names() -> None:
    def replaced(section: dict) -> set[str]:
        first, second = (render({"ctl": {"enabled": True}, "config": config}) for config in ({}, section))
        return {part for part in ("ingress", "consumer", "retry", "ctl")
                if first.deployment(part)["spec"]["template"] != second.deployment(part)["spec"]["template"]}
    assert "pod of `ctl` reads every section but `tracing` and those of [commands](#commands)" in PAGE
    assert replaced({"listen": {"max_connections": 4000}}) == {"ingress", "ctl"}
    assert replaced({"tracing": {"endpoint": "http://collector:4318/v1/traces"}}) == {"ingress", "consumer", "retry"}
