"""The chart rendered by helm, as objects that tests ask for by name: render(values).deployment("ingress")."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
import yaml

TREE = Path(__file__).resolve().parents[2]
CHART = TREE / "helm" / "sluice"
CASES = sorted((CHART / "ci").glob("*-values.yaml"))
RELEASE, NAMESPACE = "sluice", "payments"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _AsHelm(yaml.SafeLoader):
    """To helm a time is text."""


_AsHelm.yaml_implicit_resolvers = {letter: [each for each in known if not each[0].endswith(":timestamp")]
                                   for letter, known in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def values_of(case: str) -> dict:
    return yaml.load((CHART / "ci" / f"{case}-values.yaml").read_text(), Loader=_AsHelm)


# What an installation has to say at least; test values are laid over it.
LEAST = values_of("least")


def tool(name: str) -> str:
    program = Path(os.environ.get("SLUICE_TOOLS", "")) / name
    if not program.is_file():
        pytest.skip(f"NOT RUN: {name} could not be built from Go modules; ./run chart tries again and says why")
    return str(program)


class Rendered:
    """The objects of one rendering. Hooks are among them, as `helm template` shows them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.objects: list[dict] = [each for each in yaml.load_all(text, Loader=LOADER) if each]

    def all(self, kind: str) -> list[dict]:
        return [each for each in self.objects if each["kind"] == kind]

    def names(self, kind: str) -> list[str]:
        return sorted(each["metadata"]["name"] for each in self.all(kind))

    def one(self, kind: str, name: str) -> dict:
        found = [each for each in self.all(kind) if each["metadata"]["name"] == name]
        assert len(found) == 1, f"{kind} {name}: {len(found)} of them; there are {self.names(kind)}"
        return found[0]

    def deployment(self, part: str) -> dict:
        return self.one("Deployment", f"sluice-{part}")

    def workload(self, part: str) -> dict:
        """Its Deployment, or its StatefulSet: the ingress that spills."""
        found = [each for each in (*self.all("Deployment"), *self.all("StatefulSet")) if each["metadata"]["name"] == f"sluice-{part}"]
        assert len(found) == 1, f"{part}: {len(found)} workloads"
        return found[0]

    def pod(self, part: str) -> dict:
        return self.workload(part)["spec"]["template"]["spec"]

    def container(self, part: str) -> dict:
        return self.pod(part)["containers"][0]

    def config(self, name: str = "sluice") -> str:
        return self.one("ConfigMap", name)["data"]["sluice.yaml"]


def over(base: Mapping, *changes: Mapping) -> dict:
    """`base` with `changes` laid over it, as helm does: mappings are merged, all else is replaced."""
    result = dict(base)
    for change in changes:
        for key, value in change.items():
            both = isinstance(value, Mapping) and isinstance(result.get(key), Mapping)
            result[key] = over(result[key], value) if both else value
    return result


def run_helm(*files: Path, helm: str = "helm", arguments: tuple[str, ...] = (), chart: Path = CHART, release: str = RELEASE,
             namespace: str = NAMESPACE) -> subprocess.CompletedProcess[str]:
    named = [part for file in files for part in ("--values", str(file))]
    command = [tool(helm), "template", release, str(chart), "--namespace", namespace, "--kube-version", "1.34.0", *named, *arguments]
    return subprocess.run(command, text=True, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)


@cache
def _laid_out(values: str, helm: str, arguments: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(values)
        file.flush()
        return run_helm(Path(file.name), helm=helm, arguments=arguments)


def _with_values(values: Mapping, helm: str = "helm", arguments: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """The same values are rendered once; whether twice gives the same is test_rendering's question."""
    return _laid_out(json.dumps(over(LEAST, values)), helm, arguments)


def render(*values: Mapping, **options) -> Rendered:
    """Later values over earlier ones, and all of them over LEAST."""
    result = _with_values(over({}, *values), **options)
    assert result.returncode == 0, result.stderr
    return Rendered(result.stdout)


def rendered(case: Path | Mapping, helm: str = "helm") -> Rendered:
    """A file of helm/sluice/ci, or values, as they are."""
    result = _laid_out(json.dumps(case) if isinstance(case, Mapping) else case.read_text(), helm, ())
    assert result.returncode == 0, result.stderr
    return Rendered(result.stdout)


def refusal(values: Mapping, **options) -> str:
    """What helm says to values that it must refuse."""
    result = _with_values(values, **options)
    assert result.returncode != 0, "these values were not refused"
    return result.stderr
