"""The ConfigMap says what `config` says, and the programs take it: helm reads YAML and writes it anew, which may not change it."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from chart import CASES, render, rendered

BIN = Path(os.environ.get("SLUICE_BIN") or Path(__file__).resolve().parents[2] / "build/dev/bin")
MOUNTED = re.compile(r"/(?:run|mnt)/secrets/[\w.-]+/[\w.-]+")  # Secrets, and volumes of other drivers


def public_key() -> bytes:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).public_key()
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def content_of(path: str) -> bytes:
    if path.endswith(".pem"):
        return public_key()
    return hashlib.sha256(path.encode()).hexdigest()[:32].encode()  # no two callers may have one key


def as_mounted(text: str, folder: Path) -> Path:
    """The configuration as a pod sees it, its Secrets in `folder`."""
    for path in set(MOUNTED.findall(text)):
        file = folder / path.partition("/secrets/")[2]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content_of(path))
    config = folder / "sluice.yaml"
    config.write_text(text.replace("/run/secrets/", f"{folder}/").replace("/mnt/secrets/", f"{folder}/"))
    return config


def check(program: str, config: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(BIN / program), "--config", str(config), "--check", *more], text=True, capture_output=True, timeout=20,
                          check=False, env={**os.environ, "STRIPE_OLD": "whsec_old"})


@pytest.mark.parametrize("program", ["sluice-ingress", "sluice-consumer"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_the_programs_take_what_the_chart_writes(case: Path, program: str, tmp_path: Path) -> None:
    text = rendered(case).config()
    result = check(program, as_mounted(text, tmp_path))
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_roles_take_the_sections_that_their_pods_get(case: Path, tmp_path: Path) -> None:
    release = rendered(case)
    programs = {"consumer": "sluice-consumer", "retry": "sluice-consumer", "relay": "sluice-consumer", "poller": "sluice-poller",
                "command": "sluice-command", "booker": "sluice-command"}
    for part in set(programs) & {name.removeprefix("sluice-") for name in release.names("Deployment")}:
        [volume] = [each for each in release.pod(part)["volumes"] if each["name"] == "config"]
        text = release.config(volume["configMap"]["name"])
        result = check(programs[part], as_mounted(text, tmp_path), *release.container(part).get("args", []))
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_nothing_of_the_configuration_is_changed(case: Path) -> None:
    """Compared as the text that stands there: what a reader takes for a time or a number is not the question."""
    given = yaml.load(case.read_text(), Loader=yaml.BaseLoader)["config"]
    written = yaml.load(rendered(case).config(), Loader=yaml.BaseLoader)
    assert contains(written, given)


@pytest.mark.parametrize("topics,config,pinned", [
    ({"mode": "none"}, {}, None), ({"mode": "job"}, {}, 12), ({"mode": "hook", "partitions": 24}, {}, 24),
    ({"mode": "kafkaTopic", "kafkaTopic": {"cluster": "main"}}, {}, 12), ({"mode": "none"}, {"kafka": {"partitions": 6}}, 6)])
def test_who_makes_the_topic_pins_its_partitions(topics: dict, config: dict, pinned: int | None) -> None:
    """Else a topic that somebody has grown stops the consumers."""
    release = render({"topics": topics, "config": config, "ctl": {"enabled": True}})
    for name in ("sluice", "sluice-ctl"):
        assert yaml.safe_load(release.config(name))["kafka"].get("partitions") == pinned


def contains(whole: object, part: object) -> bool:
    """Standard values may have come in between, and the self-test behind."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and contains(whole[key], value) for key, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) >= len(part) and all(map(contains, whole, part))
    return whole == part


@pytest.mark.parametrize("helm", ["helm", "helm3"])
@pytest.mark.parametrize("value", [1048576, 1000000, 123456789012, 0.1, "0644", "1e6", "yes", "2026-10", "007", "~", ":name", "a: b # c"])
def test_values_keep_their_type_and_digits(value: object, helm: str) -> None:
    written = yaml.safe_load(render({"config": {"log": {"level": value}}}, helm=helm).config())
    assert written["log"]["level"] == value and type(written["log"]["level"]) is type(value)
