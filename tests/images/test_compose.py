"""deploy/compose.yaml: names what exists, gives nobody more than it needs, and what it starts works."""

from __future__ import annotations

import base64
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from deploy.images import contents, dockerfile, release
from deploy.stack.server import free_port
from deploy.stack.stack import Stack
from tests.support import compose
from tests.support.caller import Caller
from tests.support.charging import CHARGE
from tests.support.compose import FINISHED, HEALTHY, Deployment
from tests.support.image import TREE, Image, can_enter
from tests.support.wait import wait_for

DOCUMENT = compose.read()
SERVICES = DOCUMENT["services"]
OURS = compose.ours(DOCUMENT)


@pytest.mark.parametrize("name", OURS)
def test_builds_what_the_dockerfile_builds(name: str) -> None:
    service = OURS[name]
    build = service["build"]
    assert (compose.FILE.parent / build["context"]).resolve() == TREE
    assert TREE / build["dockerfile"] == dockerfile.FILE
    assert build["target"] in dockerfile.stages(dockerfile.FILE.read_text())
    assert service["image"] == f"localhost/{contents.NAMES[build['target']]}:{release.version_of(TREE)}"


@pytest.mark.parametrize("name", SERVICES)
def test_mounts_what_is_there(name: str) -> None:
    for source, place in compose.mounts(DOCUMENT, SERVICES[name]):
        assert source.exists(), f"{name}: {place}"
        if place.startswith("/run/secrets/"):
            assert source.stat().st_mode & 0o004, f"the user of {name} cannot read {source}"


@pytest.mark.parametrize("name", SERVICES)
def test_waits_for_what_can_come(name: str) -> None:
    """Nothing gets healthy without a check, and nothing that is kept running is ever finished."""
    for other, wait in SERVICES[name].get("depends_on", {}).items():
        assert wait["condition"] in (HEALTHY, FINISHED)
        assert ("healthcheck" in SERVICES[other]) == (wait["condition"] == HEALTHY)
        assert not (wait["condition"] == FINISHED and "restart" in SERVICES[other])


@pytest.mark.parametrize("name", OURS)
def test_ours_have_no_rights_that_they_do_not_need(name: str) -> None:
    service = OURS[name]
    assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
    assert "environment" not in service and "user" not in service
    assert all(line.endswith(":ro") for line in service["volumes"])


def test_only_this_machine_is_served() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert ports and all(port.startswith("127.0.0.1:") for port in ports)


def test_prometheus_asks_the_services_that_there_are() -> None:
    config = yaml.safe_load((TREE / "deploy/compose/prometheus.yaml").read_text())
    targets = {target for job in config["scrape_configs"] for group in job["static_configs"] for target in group["targets"]}
    assert targets == {f"{name}:9090" for name, service in OURS.items() if "restart" in service}


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack(tmp_path_factory.mktemp("stack")) as stack:
        with stack.mysql.connect() as connection, connection.cursor() as cursor:
            for statement in filter(str.strip, (TREE / "deploy/demo/tables.sql").read_text().split(";\n")):
                cursor.execute(statement)
        yield stack


def configuration(stack: Stack, folder: Path, ingress: int, operations: int) -> Path:
    """The file's own, but for addresses."""
    document = yaml.safe_load((TREE / "deploy/compose/sluice.yaml").read_text())
    document["listen"]["address"] = f"127.0.0.1:{ingress}"
    document["operations"]["address"] = f"127.0.0.1:{operations}"
    document["kafka"]["brokers"] = [stack.kafka.bootstrap]
    document["redis"]["urls"] = [stack.redis.url]
    document["mysql"] |= {"host": "127.0.0.1", "port": stack.mysql.port}
    file = folder / f"{operations}.yaml"
    file.write_text(yaml.safe_dump(document))
    return file


@pytest.mark.skipif(not can_enter(), reason="entering an image's root needs root")
def test_what_it_starts_applies_webhooks(stack: Stack, images: dict[str, Image], tmp_path: Path) -> None:
    """Each service in its image with its own command and secrets, in the file's order, on real servers: MySQL by its standard login."""
    tmp_path.chmod(0o755)
    ingress = free_port()
    secrets = {"mysql": stack.mysql.password, "stripe": (TREE / "deploy/compose/secrets/stripe").read_text()}
    deployment = Deployment(tmp_path, images, configuration(stack, tmp_path, ingress, free_port()), secrets)
    try:
        for name in filter(lambda name: name not in ("ctl", "poller", "command"), compose.in_order(DOCUMENT)):
            bring_up(deployment, name, stack, ingress)
        sent = deployment.finish("ctl", "send", "--source", "stripe-eu", "--type", "payment_intent.succeeded", "--count", "50",
                                 "--duplicates", "20", "--seed", "7", "--json")
        assert sent.returncode == 0, sent.stdout + sent.stderr
        wait_for(lambda: entries(stack) == (50, 50), "each payment noted once")
        doctor = deployment.finish("ctl", "doctor", "--json")
        assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    finally:
        deployment.stop()


@pytest.mark.skipif(not can_enter(), reason="entering an image's root needs root")
def test_the_poller_takes_the_file_with_a_polled_source(images: dict[str, Image], tmp_path: Path) -> None:
    """As the file is, it has nothing to read; with a source for the secret that it gets, it has all that it needs."""
    tmp_path.chmod(0o755)
    document = yaml.safe_load((TREE / "deploy/compose/sluice.yaml").read_text())
    document["sources"].append({"name": "stripe-eu-list", "recipe": "stripe", "principal": "acct_main",
                                "poll": {"key": {"file": "/run/secrets/stripe-api"}}})
    file = tmp_path / "polling.yaml"
    file.write_text(yaml.safe_dump(document))
    secrets = {name: (TREE / "deploy/compose/secrets" / name).read_text() for name in ("mysql", "stripe-api")}
    done = Deployment(tmp_path, images, file, secrets).finish("poller", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not can_enter(), reason="entering an image's root needs root")
def test_commands_are_executed_once_the_file_has_some(stack: Stack, images: dict[str, Image], tmp_path: Path) -> None:
    """With the secrets that the service gets, and the port that it opens."""
    tmp_path.chmod(0o755)
    caller = Caller(free_port(), key=base64.b64decode((TREE / "deploy/compose/secrets/caller").read_text().removeprefix("whsec_")))
    document = yaml.safe_load(configuration(stack, tmp_path, free_port(), free_port()).read_text())
    document |= {"command": {"listen": {"address": f"127.0.0.1:{caller.port}"}}, "commands": [CHARGE],
                 "callers": [{"name": caller.name, "principal": "ads", "recipe": "standard-webhooks",
                              "keys": [{"id": "k1", "value": {"file": "/run/secrets/caller"}}]}]}
    file = tmp_path / "commands.yaml"
    file.write_text(yaml.safe_dump(document))
    secrets = {"mysql": stack.mysql.password, "caller": caller.secret}
    deployment = Deployment(tmp_path, images, file, secrets)
    try:
        assert deployment.finish("migrate").returncode == 0
        deployment.start("command", file)
        port = int(document["operations"]["address"].rpartition(":")[2])
        wait_for(lambda: ready(deployment, "command", port), "it to get ready", 60)
        assert caller.send("charge-click", {"customer": "cus_1", "price": 1}, key="k1").json == {"error": "unknown_customer"}
    finally:
        deployment.stop()


def bring_up(deployment: Deployment, name: str, stack: Stack, ingress: int) -> None:
    if "restart" not in SERVICES[name]:
        done = deployment.finish(name)
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
        return
    port = free_port()
    deployment.start(name, configuration(stack, deployment.folder, ingress, port))
    wait_for(lambda: ready(deployment, name, port), f"{name} to get ready", 60)


def ready(deployment: Deployment, name: str, port: int) -> bool:
    process = deployment.running[name]
    if not process.running:
        pytest.fail(f"{name} ended: {process.end_of_log()}")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
        return bool(answer.status == 200)


def entries(stack: Stack) -> tuple[int, int]:
    """All, and different ones."""
    with stack.mysql.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*), COUNT(DISTINCT event) FROM wallet_entry")
        return cursor.fetchone()


def test_secrets_are_nobodys() -> None:
    """Whoever reads them shall see at once that they protect nothing."""
    for secret in DOCUMENT["secrets"].values():
        assert "for-one-machine-only" in (compose.FILE.parent / secret["file"]).read_text().translate({ord(sign): "-" for sign in "_+"})  # base64 has no dash
