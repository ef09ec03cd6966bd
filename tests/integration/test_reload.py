"""Sources are reloaded by SIGHUP or by the file's change, without dropping a request; a bad file changes nothing."""

from __future__ import annotations

import os
import threading

from tests.support.events import payment
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import wait_for


def add_key(pipeline: Pipeline, ingress: Program, secret: str) -> None:
    """A second live secret, in a file as Kubernetes mounts it."""
    file = pipeline.folder / "second-secret"
    file.write_text(secret + "\n")
    pipeline.secrets[f"file {file}"] = secret
    ingress.config["sources"][0]["keys"].append({"id": "second", "value": {"file": str(file)}})


def accepts(provider: Provider, secret: str) -> bool:
    return provider.start(payment()).attempt(secret=secret).status == 200


def test_sighup_brings_a_new_secret(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    assert not accepts(provider, "whsec_second")
    add_key(pipeline, ingress, "whsec_second")
    ingress.config_file.write_text("")  # what is written next is what counts
    ingress.write_config()
    ingress.reload()
    wait_for(lambda: accepts(provider, "whsec_second"), "the second secret")
    assert accepts(provider, pipeline.secret)


def test_changed_file_is_noticed_without_a_signal(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    add_key(pipeline, ingress, "whsec_second")
    ingress.write_config()
    wait_for(lambda: accepts(provider, "whsec_second"), "the second secret")


def test_swapped_links_are_noticed(pipeline: Pipeline) -> None:
    """Kubernetes mounts a link to a folder that it swaps: the file itself is never written."""
    ingress = pipeline.ingress(start=False)
    folders = [pipeline.folder / "data-1", pipeline.folder / "data-2"]
    for folder in folders:
        folder.mkdir()
    ingress.write_config()
    (folders[0] / "sluice.yaml").write_text(ingress.config_file.read_text())
    add_key(pipeline, ingress, "whsec_second")
    ingress.write_config()
    (folders[1] / "sluice.yaml").write_text(ingress.config_file.read_text())
    mount = pipeline.folder / "mount"
    mount.mkdir()
    (mount / "..data").symlink_to(folders[0])
    (mount / "sluice.yaml").symlink_to("..data/sluice.yaml")
    ingress.config_file = mount / "sluice.yaml"
    ingress.write_config = lambda: None  # the links are the file
    ingress.start().ready()
    provider = pipeline.provider(ingress)
    assert not accepts(provider, "whsec_second")
    (mount / "..data_tmp").symlink_to(folders[1])
    os.rename(mount / "..data_tmp", mount / "..data")
    wait_for(lambda: accepts(provider, "whsec_second"), "the second secret")


def test_bad_file_keeps_the_old_configuration(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    good = ingress.config_file.read_text()
    for bad in ("sources: [", "", good.replace("tolerance", "tolerence"), good.replace("recipe: stripe", "recipe: nope")):
        fresh = ingress.config_file.with_suffix(".new")
        fresh.write_text(bad)
        fresh.rename(ingress.config_file)
        ingress.reload()
        wait_for(lambda: ingress.metric("sluice_config_reload_failed") == 1, f"the refusal of {bad[:20]!r}")
        provider.deliver(payment()).expect(200)
        assert ingress.get("/readyz")[0] == 200
        ingress.write_config()
        ingress.reload()
        wait_for(lambda: ingress.metric("sluice_config_reload_failed") == 0, "the good file again")
    wait_for(lambda: [line for line in ingress.log_lines() if line["level"] in ("warn", "error") and "tolerence" in str(line)],
             "the log to say what is wrong")


def test_new_source_is_served_and_a_removed_one_is_not(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    other = {**ingress.config["sources"][0], "name": "stripe-second", "path": "/v1/webhooks/stripe-second"}
    second = pipeline.provider(ingress, path=other["path"])
    assert second.deliver(payment()).last.status == 404
    first = ingress.config["sources"][0]
    ingress.config["sources"] = [first, other]
    ingress.write_config()
    ingress.reload()
    wait_for(lambda: second.deliver(payment()).accepted, "the new source")
    ingress.config["sources"] = [first]
    ingress.write_config()
    ingress.reload()
    wait_for(lambda: second.deliver(payment()).last.status == 404, "the old source to be gone")
    provider.deliver(payment()).expect(200)
    assert first["path"] == PATH


def test_rotations_under_load_refuse_nobody(pipeline: Pipeline, ingress: Program, provider: Provider) -> None:
    """The old and the new secret are both live while the file changes: not one refusal."""
    stop = threading.Event()

    def load() -> None:
        while not stop.is_set():
            provider.deliver(payment())

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(20):
            sent = len(provider.deliveries)
            keys = ingress.config["sources"][0]["keys"]
            keys[1:] = [{"id": f"k{number}", "value": {"env": "TEST_STRIPE_SECRET"}}]
            ingress.write_config()
            ingress.reload()
            wait_for(lambda sent=sent: len(provider.deliveries) > sent + 5, "some traffic")
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for delivery in provider.deliveries:
        delivery.expect(200)
    pipeline.expect_log_holds(provider.accepted)
