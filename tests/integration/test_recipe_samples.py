"""sluicectl recipes test: what a person who writes a recipe asks it, and every request that tests/vectors has."""

from __future__ import annotations

import json
import re
import subprocess
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import binary

TREE = Path(__file__).parents[2]
VECTORS = sorted((TREE / "tests/vectors").glob("*.json"))

ACME = """\
recipes:
  - name: acme
    algorithm: hmac-sha256
    keys: {form: text}
    signature: {header: X-Acme-Signature, container: {prefix: "sha256="}, encoding: hex}
    timestamp: none
    signed: [body]
    body: json
    extract: {id: /id, type: /type, order_by: [/data/id], livemode: true}
    day: none
    digest: [[/type, /data], none]
recipe: acme
source: {keys: [{id: a, value: {text: "It's a Secret to Everybody"}}]}
samples:
  - name: published
    headers: {X-Acme-Signature: sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17}
    body: Hello, World!
    accepted: true
    key: a
    events: []
  - {name: changed, like: published, body: Hello, accepted: false, check: signature_mismatch}
  - {name: unsigned, like: published, headers: {X-Acme-Signature: ~}, accepted: false, check: missing_header}
"""


def judged(file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(binary("sluicectl")), "recipes", "test", str(file), *arguments], text=True, capture_output=True,
                          timeout=60, check=False, env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})


def test_a_recipe_with_samples_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "acme.yaml"
    file.write_text(ACME)
    result = judged(file)
    assert result.returncode == 0, result.stderr
    assert "3 of 3 samples as expected of recipe acme" in result.stdout and "untested" not in result.stdout


def test_the_example_of_the_documentation_holds(tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", (TREE / "docs/recipes.md").read_text(), re.DOTALL)
    config, samples = (next(block for block in blocks if block.startswith(start)) for start in ("recipes:", "# acme.samples.yaml"))
    (tmp_path / "sluice.yaml").write_text(config)
    (tmp_path / "acme.samples.yaml").write_text(samples)
    result = judged(tmp_path / "acme.samples.yaml", "--config", str(tmp_path / "sluice.yaml"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "untested" not in result.stdout


@pytest.mark.parametrize("change", [("digest: [[/type, /data], none]", "digest: none", 0), ("encoding: hex", "encoding: base64", 1),
                                    ("sha256=\"", "sha512=\"", 1), ("signed: [body]", "signed: [{literal: v1.}, body]", 1),
                                    ("Everybody", "somebody", 1), ("accepted: true", "accepted: yes", 2), ("like:", "lik:", 2)])
def test_what_is_wrong_is_noticed(tmp_path: Path, change: tuple[str, str, int]) -> None:
    old, new, code = change
    file = tmp_path / "acme.yaml"
    file.write_text(ACME.replace(old, new))
    result = judged(file)
    assert result.returncode == code, result.stdout + result.stderr
    assert "757107ea" not in result.stdout + result.stderr
    if code == 2:
        assert f"{file}:" in result.stderr


def sample_of(vector: dict[str, Any]) -> dict[str, Any]:
    body = {"base64": vector["body_base64"]} if "body_base64" in vector else vector["body"]
    taken = ("name", "now", "method", "target", "headers", "accepted", "check", "key", "events")
    return {**{name: vector[name] for name in taken if name in vector}, "body": body}


def with_texts(source: dict[str, Any]) -> dict[str, Any]:
    return {**source, "keys": [{**key, "value": {"text": key["value"]}} for key in source.get("keys", [])]}


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vectors_are_judged_as_the_ingress_judges_them(tmp_path: Path, path: Path) -> None:
    document = json.loads(path.read_text())
    key = lambda vector: json.dumps(vector.get("source", document["source"]), sort_keys=True)  # noqa: E731
    for number, (source, vectors) in enumerate(groupby(sorted(document["vectors"], key=key), key)):
        file = tmp_path / f"{number}.yaml"
        file.write_text(json.dumps({"recipe": document["recipe"], "source": with_texts(json.loads(source)),
                                    "samples": [sample_of(vector) for vector in vectors]}, ensure_ascii=False))
        result = judged(file, "--json")
        wrong = [sample for sample in json.loads(result.stdout or "{}").get("samples", []) if not sample["ok"]]
        assert result.returncode == 0, (wrong, result.stderr)
