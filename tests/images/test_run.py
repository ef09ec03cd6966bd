"""The programs in their images: a read-only root, user 65532, nothing but what the image holds."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from deploy.images import contents, release
from tests.support.image import TREE, Image, can_enter
from tests.support.wait import wait_for

pytestmark = pytest.mark.skipif(not can_enter(), reason="entering an image's root needs root")

CONFIG = {
    "listen": {"address": "127.0.0.1:0"}, "operations": {"address": "127.0.0.1:0"}, "kafka": {"brokers": ["127.0.0.1:1"]},
    "mysql": {"host": "127.0.0.1", "port": 1, "database": "sluice", "user": "sluice", "password": {"file": "/run/secrets/mysql"}},
    "sources": [{"name": "stripe-eu", "recipe": "stripe", "principal": "stripe-eu", "keys": [{"id": "k", "value": {"file": "/run/secrets/stripe"}}]}]}


@pytest.fixture(autouse=True)
def _others_may_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)


@pytest.fixture
def settings(tmp_path: Path) -> dict[Path, str]:
    """Folders of the host and where they are mounted."""
    for name in ("etc", "secrets"):
        (tmp_path / name).mkdir()
    (tmp_path / "etc/sluice.yaml").write_text(yaml.safe_dump(CONFIG))
    for name in ("mysql", "stripe"):
        (tmp_path / "secrets" / name).write_text(f"whsec_{name}")
    return {tmp_path / "etc": "/etc/sluice", tmp_path / "secrets": "/run/secrets"}


def test_help_and_version(image: Image) -> None:
    assert image.run("--version").stdout.strip() == release.version_of(TREE)
    said = image.run("--help")
    assert said.returncode == 0 and "--" in said.stdout, said.stderr


@pytest.mark.parametrize("target", ["ingress", "consumer"])
def test_check_finds_the_configuration_where_it_is_mounted(images: dict[str, Image], target: str, settings: dict[Path, str]) -> None:
    said = images[target].run("--check", binds=settings)
    assert (said.returncode, said.stdout) == (0, "/etc/sluice/sluice.yaml: ok\n"), said.stderr


@pytest.mark.parametrize("target", ["ingress", "consumer", "poller", "command"])
def test_without_a_configuration_it_says_so(images: dict[str, Image], target: str) -> None:
    said = images[target].run("--check")
    assert said.returncode == 2
    assert "/etc/sluice/sluice.yaml" in said.stderr


def test_runs_as_nobody_on_a_root_that_cannot_be_written(images: dict[str, Image], settings: dict[Path, str], tmp_path: Path) -> None:
    """What the kernel says of the running process."""
    image = images["ingress"]
    log = tmp_path / "log"
    with log.open("wb") as out, subprocess.Popen(image.command(binds=settings), stdout=out, stderr=out,
                                                 env=image.environment()) as process:
        try:
            wait_for(lambda: b"{" in log.read_bytes() or process.poll() is not None, "its first line")
            status = dict(line.split(":\t", 1) for line in Path(f"/proc/{process.pid}/status").read_text().splitlines() if ":\t" in line)
            mounts = Path(f"/proc/{process.pid}/mountinfo").read_text().splitlines()
        finally:
            process.terminate()
            code = process.wait(30)
    assert status["Name"] == "sluice-ingress", log.read_text()
    assert set(status["Uid"].split()) == set(status["Gid"].split()) == {str(contents.USER)}
    assert status["CapEff"] == status["CapPrm"] == "0" * 16 and status["NoNewPrivs"] == "1"
    assert status["Groups"].split() in ([], [str(contents.USER)])
    assert [line for line in mounts if line.split()[4] == "/" and line.split()[5].startswith("ro")]
    assert code == 0, log.read_text()


def test_reads_bodies_in_chinese_charsets(images: dict[str, Image], tmp_path: Path) -> None:
    """A vector of tests/vectors, judged by the program in its image."""
    vectors = json.loads((TREE / "tests/vectors/alipay.json").read_text())
    vector = next(one for one in vectors["vectors"] if one["name"] == "Chinese, GBK")
    for key in vectors["source"]["keys"]:
        (tmp_path / key["id"]).write_text(key["value"])
    keys = [{"id": key["id"], "value": {"file": f"/run/secrets/{key['id']}"}} for key in vectors["source"]["keys"]]
    source = {"name": "alipay", "recipe": "alipay", "principal": "alipay", "keys": keys, "with": vectors["source"]["with"]}
    (tmp_path / "sluice.yaml").write_text(yaml.safe_dump({"sources": [source]}))
    (tmp_path / "request").write_bytes(request(vector))
    said = images["ctl"].run("verify", "--config", "/run/secrets/sluice.yaml", "--source", "alipay", "--now", str(vector["now"]),
                             "--request", "/run/secrets/request", "--json", binds={tmp_path: "/run/secrets"})
    verdict = json.loads(said.stdout)
    assert verdict["accepted"], said.stdout
    assert [event["id"] for event in verdict["events"]] == [event["id"] for event in vector["events"]]


def request(vector: dict) -> bytes:
    body = vector["body"].encode()
    fields = [("Host", "x"), *vector["headers"], ("Content-Length", str(len(body)))]
    head = [f"{vector['method']} {vector['target']} HTTP/1.1", *(f"{name}: {value}" for name, value in fields)]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize("charset", ["GBK", "GB18030"])
def test_each_image_converts_them(image: Image, charset: str, tmp_path: Path) -> None:
    """The conversions are files that only iconv opens; a program of the platform that does nothing else asks for them."""
    (tmp_path / "text").write_bytes("支付".encode(charset))
    shutil.copy("/usr/bin/iconv", tmp_path / "iconv")
    said = image.run("-f", charset, "-t", "UTF-8", "/run/secrets/text", program="/run/secrets/iconv", binds={tmp_path: "/run/secrets"})
    assert said.stdout == "支付", said.stderr
