"""deploy/examples: each plays to the end with every check holding, and what is written of it is a configuration that starts."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from deploy.examples.marketplace import verdict
from deploy.examples.marketplace.books import Books
from deploy.examples.marketplace.plan import Entry
from tests.support.pipeline import HURRY
from tests.support.program import TREE, binary

# How many orders, customers or payments have one of each kind among them, and a type that its effects match.
FEW = {"orders": 13, "subscriptions": 4, "marketplace": 4, "polling": 8, "charging": 2000}
OF_WEBHOOKS = ["sluice-ingress", "sluice-consumer"]
PROGRAMS = {"polling": [*OF_WEBHOOKS, "sluice-poller"], "charging": ["sluice-command"]}
ENVIRONMENT = {"polling": {"SLUICE_HURRY": str(HURRY)}}  # the lease of a killed poller lasts a minute
TYPE = {"orders": "payment_intent.succeeded", "subscriptions": "invoice.paid", "marketplace": "payout.paid", "polling": "invoice.paid"}
EXAMPLES = list(FEW)


def written(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", str(TREE / "deploy/examples/write.sh"), name, str(folder)], text=True, capture_output=True, timeout=30,
                          check=False)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_check_of_an_example_holds(name: str, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    played = subprocess.run(["python3", "-m", "deploy.demo", "--example", name, "--once", "--count", str(FEW[name]), "--json", str(figures)],
                            cwd=TREE, text=True, capture_output=True, timeout=300, check=False,
                            env={**os.environ, "SLUICE_BIN": str(binary("sluicectl").parent), **ENVIRONMENT.get(name, {})})
    assert played.returncode == 0, played.stdout + played.stderr
    checks = json.loads(figures.read_text())["checks"]
    assert len(checks) >= 10 and all(check["ok"] for check in checks)


SALE = Entry("north", "sale", "pi_1", "pi_1", 600)
PAYOUT = Entry("north", "payout", "po_1", None, -500)
REFUND = Entry("north", "refund", "re_1", "pi_1", -300)


@pytest.mark.parametrize(("entries", "holds"), [
    ([SALE, REFUND], True), ([SALE, PAYOUT, REFUND], True),  # the balance is below zero then, as at the provider itself
    ([REFUND, SALE], False), ([PAYOUT, SALE], False), ([SALE, REFUND, PAYOUT], False)])
def test_a_marketplace_is_judged_by_the_order_of_its_ledger(entries: list[Entry], holds: bool) -> None:
    checks = verdict.judge([], [], Books([], {}, entries, []), {})
    assert [check.ok for check in checks if "came before its sale" in check.what] == [holds]


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_written_is_accepted(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    said = written(name, folder)
    assert said.returncode == 0 and "next, in that folder" in said.stdout, said.stdout + said.stderr
    assert "](../" not in (folder / "README.md").read_text(), "a link that leads out of the folder"
    subprocess.run(["bash", "test-keys.sh"], cwd=folder, timeout=60, check=True)
    checks = [[program, "--check"] for program in PROGRAMS.get(name, OF_WEBHOOKS)]
    explained = [["sluicectl", "effects", "explain", TYPE[name]]] if name in TYPE else []
    for program, *words in (*checks, *explained):
        judged = subprocess.run([str(binary(program)), *words, "--config", "sluice.yaml"], cwd=folder, text=True, capture_output=True,
                                timeout=30, check=False)
        assert judged.returncode == 0, judged.stdout + judged.stderr
        assert "warning" not in (judged.stdout + judged.stderr).lower(), judged.stdout + judged.stderr


def test_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("of somebody")
    refused = written("orders", tmp_path)
    assert refused.returncode == 2 and "not an empty folder" in refused.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


def test_unknown_example_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    refused = written("nothing", tmp_path / "new")
    assert refused.returncode == 2 and all(name in refused.stderr for name in EXAMPLES) and not (tmp_path / "new").exists()
