"""Who may send commands: callers that sign and callers by certificate, rolled without a restart, each within its limit."""

from __future__ import annotations

import http.client
import json
import ssl
import subprocess
from pathlib import Path

import pytest

from deploy.stack.server import free_port
from tests.support.caller import Caller
from tests.support.https_server import make_certificate
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.wait import wait_for

NOTE = {"name": "note", "wait": "10s", "limit": {"by": ["/author"], "rate": "1/h", "burst": 3},
        "parameters": {"author": {"at": "/author", "longest": 64}},
        "effect": {"insert": {"table": "note", "row": {"author": ":author", "principal": ":principal"}}},
        "answers": {"done": {"status": 200, "body": {"by": ":principal"}}}}


class Authority:
    """Vouches for clients."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self.folder, self.certificate, self.key = folder, folder / f"{name}.crt", folder / f"{name}.key"
        make_certificate(self.certificate, self.key, name)

    def client(self, name: str, *alternatives: str) -> Path:
        """A certificate and its key in one file."""
        key, request, pair = (self.folder / f"{name}.{kind}" for kind in ("key", "csr", "pem"))
        extensions = self.folder / f"{name}.ext"
        extensions.write_text("extendedKeyUsage=clientAuth\nsubjectAltName=" + ",".join(alternatives or (f"DNS:{name}.internal",)))
        _openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/O=Example/CN={name}",
                 "-keyout", key, "-out", request)
        signed = _openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", "2",
                          "-extfile", extensions)
        pair.write_bytes(signed + key.read_bytes())
        return pair


def _openssl(*words: str | Path) -> bytes:
    return subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=30).stdout


@pytest.fixture
def authority(pipeline: Pipeline) -> Authority:
    return Authority(pipeline.folder)


@pytest.fixture
def caller() -> Caller:
    return Caller(free_port())


@pytest.fixture
def program(pipeline: Pipeline, caller: Caller) -> Program:
    """Plain, with one caller that signs by a key from a file. Not started."""
    pipeline.make_database()
    pipeline.ledger.run("CREATE TABLE note (author VARBINARY(255), principal VARBINARY(255))")
    key = pipeline.folder / "caller-key"
    key.write_text(caller.secret + "\n")
    pipeline.config["command"] = {"listen": {"address": f"127.0.0.1:{caller.port}", "drain_delay": "100ms"}}
    pipeline.config["callers"] = [{"name": caller.name, "principal": "ads-team", "recipe": "standard-webhooks",
                                   "keys": [{"id": "k1", "value": {"file": str(key)}}]}]
    pipeline.config["commands"] = [NOTE]
    return pipeline._program("sluice-command", pipeline._with_ports(), "", False)


def with_tls(pipeline: Pipeline, program: Program, authority: Authority) -> None:
    certificate, key = pipeline.folder / "server.crt", pipeline.folder / "server.key"
    make_certificate(certificate, key, "localhost")
    files = {"cert": certificate, "key": key, "client_ca": authority.certificate}
    program.config["command"]["listen"]["tls"] = {name: {"file": str(file)} for name, file in files.items()}
    program.config["callers"] += [
        {"name": "shop", "principal": "shop-team", "certificate": {"subject": "CN=shop,O=Example"}},
        {"name": "mail", "principal": "mail-team", "certificate": {"uri": "spiffe://example.org/mail"}}]


def ask(port: int, pair: Path | None, *, key: str, caller: str = "") -> tuple[int, dict]:
    """A note that nobody has signed."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if pair:
        context.load_cert_chain(pair)
    connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=context)
    try:
        named = {"sluice-caller": caller} if caller else {}
        connection.request("POST", "/v1/commands/note", json.dumps({"author": key}),
                           {"content-type": "application/json", "idempotency-key": f'"{key}"', **named})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def test_a_certificate_is_a_caller(pipeline: Pipeline, program: Program, caller: Caller, authority: Authority) -> None:
    with_tls(pipeline, program, authority)
    program.start().ready()
    shop, mail = authority.client("shop"), authority.client("mail", "URI:spiffe://example.org/mail")
    assert ask(caller.port, shop, key="k1") == (200, {"by": "shop-team"})
    assert ask(caller.port, mail, key="k1") == (200, {"by": "mail-team"})
    assert ask(caller.port, shop, key="k2", caller="shop") == (200, {"by": "shop-team"})
    for pair, named in [(shop, "mail"), (shop, "ads"), (None, "shop"), (None, ""), (authority.client("other"), "")]:
        status, told = ask(caller.port, pair, key="k3", caller=named)
        assert (status, told["type"]) == (401, "urn:sluice:problem:not_authenticated"), (pair, named)
    for named, times in {"mail": 1, "ads": 1, "shop": 1, "": 2}.items():
        program.expect_metric(times, "sluice_command_not_authenticated_total", caller=named)
    wait_for(lambda: {line.get("named", "") for line in program.decisions("not_authenticated")} == {"mail", "ads", "shop", ""}, "the lines of all")
    stranger = Authority(pipeline.folder, "stranger").client("shop")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        ask(caller.port, stranger, key="k4")
    assert pipeline.ledger.query("SELECT COUNT(*) FROM note") == [(3,)]


def test_required_certificates_are_asked_for_before_anything_else(pipeline: Pipeline, program: Program, caller: Caller,
                                                                 authority: Authority) -> None:
    with_tls(pipeline, program, authority)
    program.config["command"]["client_certificates"] = "required"
    program.start().ready()
    assert ask(caller.port, authority.client("shop"), key="k1")[0] == 200
    with pytest.raises((ssl.SSLError, ConnectionError)):
        ask(caller.port, None, key="k2")


def test_a_key_is_rolled_without_a_restart(pipeline: Pipeline, program: Program, caller: Caller) -> None:
    program.start().ready()
    renewed = Caller(caller.port, key=b"another key, of just as many by!")
    assert program.metric("sluice_command_not_authenticated_total", caller=caller.name) == 0, "there before the first"
    assert caller.send("note", {"author": "a"}, key="k1").status == 200
    assert renewed.send("note", {"author": "a"}, key="k1").status == 401
    (pipeline.folder / "caller-key").write_text(renewed.secret + "\n")
    wait_for(lambda: renewed.send("note", {"author": "a"}, key="k1").is_replayed, "the new key, and the same principal")
    assert caller.send("note", {"author": "a"}, key="k1").status == 401


def test_a_caller_keeps_its_principal(pipeline: Pipeline, program: Program, caller: Caller) -> None:
    program.start().ready()
    assert caller.send("note", {"author": "a"}, key="k1").status == 200
    program.config["callers"][0]["principal"] = "other-team"
    program.write_config()
    wait_for(lambda: program.metric("sluice_config_reload_failed") == 1, "the refusal")
    assert caller.send("note", {"author": "a"}, key="k1").is_replayed, "executed once"
    program.config["callers"][0]["principal"] = "ads-team"
    program.write_config()
    wait_for(lambda: program.metric("sluice_config_reload_failed") == 0, "the good file")


def test_a_file_without_its_commands_is_judged_by_those_that_run(pipeline: Pipeline, program: Program, caller: Caller) -> None:
    program.config["commands"] = [{**NOTE, "keep": "1h"}]
    program.start().ready()
    program.config["callers"][0]["tolerance"] = "1h"
    del program.config["commands"]
    program.write_config()
    wait_for(lambda: program.metric("sluice_config_reload_failed") == 1, "the refusal")
    [refused, *_] = program.decisions("config_reload_failed")
    assert "command note keeps its responses for 3600 s" in str(refused)
    assert caller.send("note", {"author": "a"}, key="k1").status == 200


def test_an_account_over_its_limit_is_told_when_to_come_again(pipeline: Pipeline, program: Program, caller: Caller) -> None:
    program.start().ready()
    assert [caller.send("note", {"author": "a"}, key=f"k{number}").status for number in range(4)] == [200, 200, 200, 429]
    refused = caller.send("note", {"author": "a"}, key="k4")
    assert 3590 <= int(refused.headers["retry-after"]) <= 3600
    assert caller.look_up("note", "k4") == {"state": "absent"}
    assert caller.send("note", {"author": "b"}, key="k4").status == 200, "another account's key, as the first was never stored"
