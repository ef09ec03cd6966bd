"""`helm test` without a cluster: what the chart's Pod runs, container after container, against both programs for real."""

from __future__ import annotations

import subprocess

import pytest
import yaml

from tests.chart.chart import LEAST, Rendered, rendered
from tests.support.pipeline import Pipeline
from tests.support.program import binary

KEY = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="


class HelmTest:
    """The Pod of `helm test`, its addresses put right. `uid` is what Kubernetes would call it."""

    def __init__(self, pipeline: Pipeline, uid: str) -> None:
        self.pipeline, self.uid = pipeline, uid
        (pipeline.folder / "key").write_text(KEY)
        given = {name: part for name, part in pipeline.config.items() if name not in ("listen", "operations")}
        self.rendered = rendered({"image": LEAST["image"], "config": given, "selftest": {"enabled": True, "secretName": "s"}})
        self.pod = self.rendered.one("Pod", "sluice-selftest")["spec"]
        self.config = pipeline.folder / "selftest.yaml"
        self.config.write_text(self._as_mounted(self.rendered, "sluice-selftest"))

    def install(self) -> None:
        """What the programs get to read: the source and the effect of the self-test besides their own."""
        config = yaml.safe_load(self._as_mounted(self.rendered, "sluice"))
        self.pipeline.config.update(sources=config["sources"], effects=config["effects"])

    def send(self, container: str, port: int) -> subprocess.CompletedProcess[str]:
        arguments = self._arguments("initContainers", container)
        arguments[arguments.index("--url") + 1] = f"http://127.0.0.1:{port}"
        return self._run(arguments)

    def send_all(self, port: int) -> None:
        for each in self.pod["initContainers"]:
            if each["name"].startswith("send-"):
                sent = self.send(each["name"], port)
                assert sent.returncode == 0, sent.stdout + sent.stderr

    def applied(self, container: str, *, patient: bool = True) -> str:
        """Empty when it ends well, else why not."""
        kind = "initContainers" if container == "applied-after" else "containers"
        arguments = self._arguments(kind, container)
        if not patient:
            arguments[arguments.index("--wait") + 1] = "0"
        result = self._run(arguments)
        assert (result.returncode, bool(result.stderr)) in ((0, False), (1, True)), result.stderr
        return result.stderr

    def _as_mounted(self, release: Rendered, name: str) -> str:
        return release.config(name).replace("/run/secrets/s/", f"{self.pipeline.folder}/")

    def _arguments(self, kind: str, name: str) -> list[str]:
        container = next(each for each in self.pod[kind] if each["name"] == name)
        return [each.replace("$(POD_UID)", self.uid) for each in container["args"]]

    def _run(self, arguments: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {**self.pipeline.secrets, "SLUICE_CONFIG": str(self.config), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        return subprocess.run([str(binary("sluicectl")), *arguments], text=True, capture_output=True, timeout=60, check=False, env=environment)


@pytest.fixture
def helm_test(pipeline: Pipeline) -> HelmTest:
    pod = HelmTest(pipeline, "0b1c-4d")
    pod.install()
    pipeline.make_database()
    return pod


def rows(pipeline: Pipeline) -> list[bytes]:
    return [event for (event,) in pipeline.ledger.query("SELECT event FROM sluice_selftest ORDER BY event")]


def test_it_posts_once_and_twice_and_sees_one_effect_of_each(pipeline: Pipeline, helm_test: HelmTest) -> None:
    ingress = pipeline.ingress()
    helm_test.send_all(ingress.port)
    assert "has no event" in helm_test.applied("applied-once", patient=False), "nobody has applied it yet: the test waits"
    pipeline.consumer()
    for container in ("applied-after", "applied-once", "applied-twice"):
        assert not helm_test.applied(container), container
    assert rows(pipeline) == [b"after-0b1c-4d", b"once-0b1c-4d", b"twice-0b1c-4d"]


def test_both_deliveries_are_consumed_before_it_looks(pipeline: Pipeline, helm_test: HelmTest) -> None:
    """What comes last is of the same object, so it lies behind both in their partition."""
    pipeline.config["redis"]["urls"] = ["redis://127.0.0.1:1/0"]  # nobody remembers: both are published
    helm_test.send_all(pipeline.ingress().port)
    ids = [record.text("ce_id") for record in pipeline.log.read(pipeline.topic) if "once" not in record.text("ce_id")]
    assert ids == ["twice-0b1c-4d", "twice-0b1c-4d", "after-0b1c-4d"]
    keys = {record.key for record in pipeline.log.read(pipeline.topic) if "once" not in record.text("ce_id")}
    assert len(keys) == 1


def test_it_fails_where_the_event_is_dead(pipeline: Pipeline, helm_test: HelmTest) -> None:
    pipeline.ledger.run("INSERT INTO sluice_selftest (event) VALUES ('once-0b1c-4d')")  # its effect is refused
    helm_test.send_all(pipeline.ingress().port)
    pipeline.consumer()
    assert not helm_test.applied("applied-twice")
    assert "event once-0b1c-4d is dead" in helm_test.applied("applied-once"), "told, and not waited for"


def test_it_fails_where_nobody_answers(pipeline: Pipeline, helm_test: HelmTest) -> None:
    ingress = pipeline.ingress()
    port = ingress.port
    pipeline.end_programs()
    assert helm_test.send("send-once", port).returncode != 0


def test_another_run_is_not_taken_for_the_first(pipeline: Pipeline, helm_test: HelmTest) -> None:
    ingress = pipeline.ingress()
    pipeline.consumer()
    for uid in ("run-1", "run-2"):
        helm_test.uid = uid
        assert helm_test.send("send-twice", ingress.port).returncode == 0
        assert not helm_test.applied("applied-twice"), uid
    assert rows(pipeline) == [b"twice-run-1", b"twice-run-2"]
