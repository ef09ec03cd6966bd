"""Key material is in no output of any program, and in no memory of one that no longer needs it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import secrets
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import paypal
from tests.support.events import payment
from tests.support.http_raw import exchange, request
from tests.support.pipeline import Pipeline
from tests.support.program import Program, binary
from tests.support.provider import signature_header
from tests.support.wait import wait_for

WECHAT_KEY = Path(__file__).parents[1] / "vectors/generate/keys/wechat_platform.pem"


def kept_in_files(folder: Path) -> dict[str, str]:
    """A secret of every form that recipes know, each in a file of its name."""
    made = {"stripe": "whsec_" + secrets.token_urlsafe(24), "standard-webhooks": "whsec_" + base64.b64encode(os.urandom(30)).decode(),
            "adyen": secrets.token_hex(32).upper(), "braintree": secrets.token_hex(16), "xendit": secrets.token_urlsafe(24),
            "api-v3": secrets.token_hex(16), "github": secrets.token_urlsafe(24)}
    for name, secret in made.items():
        (folder / name).write_text(secret + "\n")
    return made


def sources_of(folder: Path) -> list[dict]:
    def source(recipe: str, key_id: str = "k1", **more: object) -> dict:
        return {"name": recipe, "recipe": recipe, "principal": recipe, "path": f"/{recipe}",
                "keys": [{"id": key_id, "value": {"file": str(folder / recipe)}}], **more}

    wechat = source("wechat-pay", "51E9FD12484F3F51EDF4479B670934CA4280495B", **{"with": {"api_v3_key": {"file": str(folder / "api-v3")}}})
    wechat["keys"][0]["value"]["file"] = str(WECHAT_KEY)
    return [source("stripe"), source("standard-webhooks", order_by=["/data/id"]), source("xendit"), source("github"),
            source("adyen", **{"with": {"merchant_account": "Shop", "environment": "live"}}), source("braintree"), wechat, paypal.source(folder)]


def writings(secret: str) -> Iterator[str]:
    """The secret as somebody could print it: as it is, without its mark, decoded, in hex, in base64, digested for its key."""
    bare = secret.removeprefix("whsec_")
    for raw in (secret.encode(), bare.encode(), *decodings(bare)):
        yield from (raw.decode("latin-1"), raw.hex(), raw.hex().upper(), base64.b64encode(raw).decode().rstrip("="))


def decodings(bare: str) -> Iterator[bytes]:
    yield hashlib.sha1(bare.encode()).digest()
    for decode in (bytes.fromhex, lambda text: base64.b64decode(text, validate=True)):
        try:
            yield decode(bare)
        except (ValueError, binascii.Error):
            pass


class Output:
    """Everything that was said, by whom; latin-1, so that no byte is lost."""

    def __init__(self) -> None:
        self.said: dict[str, str] = {}

    def hear(self, who: str, text: str | bytes) -> str:
        self.said[who] = text if isinstance(text, str) else text.decode("latin-1")
        return self.said[who]

    def expect_none_of(self, kept: dict[str, str]) -> None:
        told = [f"{who} said the secret of {name}" for name, secret in kept.items() for text in set(writings(secret))
                for who, said in self.said.items() if text in said]
        assert not told, told


def run(output: Output, pipeline: Pipeline, *command: str) -> int:
    """One of the programs with this test's configuration, from beginning to end."""
    program = Program(command[0], pipeline._with_ports(), pipeline.folder, label="checked", environment={})
    program.write_config()
    result = subprocess.run([str(binary(command[0])), "--config", str(program.config_file), *command[1:]], capture_output=True,
                            timeout=60, check=False, env={**os.environ, **pipeline.secrets})
    output.hear(" ".join(command), result.stdout + result.stderr)
    return result.returncode


def call(output: Output, pipeline: Pipeline, *arguments: str) -> int:
    result = pipeline.ctl(*arguments)
    output.hear(f"sluicectl {' '.join(arguments)}", result.stdout + result.stderr)
    return result.returncode


@pytest.fixture
def kept(pipeline: Pipeline) -> dict[str, str]:
    made = kept_in_files(pipeline.folder)
    pipeline.config["sources"] = sources_of(pipeline.folder)
    for effect in pipeline.config["effects"]:
        effect["when"]["source"] = "stripe"
    return made


def test_right_configuration_is_checked_without_a_word_of_them(pipeline: Pipeline, kept: dict[str, str]) -> None:
    output = Output()
    assert run(output, pipeline, "sluice-ingress", "--check") == 0, output.said
    assert run(output, pipeline, "sluice-consumer", "--check") == 0, output.said
    output.expect_none_of(kept)


BROKEN: dict[str, tuple[str, Callable[[str], str]]] = {
    "base64 that is none": ("standard-webhooks", lambda secret: secret[:-4] + "!" + secret[-3:]),
    "hex that is none": ("adyen", lambda secret: secret[:-1] + "g"),
    "public key that is none": ("wechat-pay", lambda _: "-----BEGIN PRIVATE KEY-----\n" + secrets.token_urlsafe(48)),
    "one byte too many": ("api-v3", lambda secret: secret + "f"),
    "white space around": ("stripe", lambda secret: f" {secret} "),
    "the wrong one": ("stripe", lambda secret: "sk_live_" + secret),
    "too long": ("github", lambda secret: secret * 4000)}


@pytest.mark.parametrize("case", BROKEN)
def test_wrong_secret_is_refused_without_a_word_of_it(pipeline: Pipeline, kept: dict[str, str], case: str) -> None:
    name, broken = BROKEN[case]
    file = pipeline.folder / name
    if name == "wechat-pay":
        pipeline.config["sources"][6]["keys"][0]["value"]["file"] = str(file)
    wrong = broken(kept.get(name, ""))
    file.write_text(wrong)
    output = Output()
    run(output, pipeline, "sluice-ingress", "--check")
    call(output, pipeline, "verify", "--source", "github", "--request", str(file))
    assert "checked.yaml:" in output.said["sluice-ingress --check"], output.said
    output.expect_none_of({**kept, "what is wrong": wrong.strip(), "its beginning": wrong.strip()[:24]})


def test_working_programs_say_no_word_of_them(pipeline: Pipeline, kept: dict[str, str]) -> None:
    """A run with everything in it: accepted, refused, reloaded well and badly, looked at, and stopped."""
    output = Output()
    pipeline.log.create(f"{pipeline.topic}.originals")
    ingress, consumer = pipeline.ingress(), pipeline.consumer()
    event, now = payment(), int(time.time())
    genuine = request("/stripe", event.body, headers=[("Content-Type", "application/json"),
                                                      ("Stripe-Signature", signature_header(kept["stripe"], event.body, now))])
    assert answered(output, ingress, "genuine", genuine) == 200
    for source in pipeline.config["sources"]:
        forged = request(source["path"], event.body, headers=[("Content-Type", "application/json"), *FORGED])
        assert answered(output, ingress, f"forged for {source['name']}", forged) >= 400
    challenge = request("/braintree?bt_challenge=" + "a" * 20, method="GET", length=None)
    assert answered(output, ingress, "challenge", challenge) == 200
    (pipeline.folder / "adyen").write_text(kept["adyen"][:-1] + "g")
    ingress.reload()
    wait_for(lambda: ingress.metric("sluice_config_reload_failed") == 1, "the refusal")
    (pipeline.folder / "adyen").write_text(kept["adyen"])
    ingress.reload()
    wait_for(lambda: ingress.metric("sluice_config_reload_failed") == 0, "the good file")
    for program in (ingress, consumer):
        for path in ("/metrics", "/readyz", "/livez", "/"):
            output.hear(f"{program.label}{path}", program.get(path)[1])
    commands(output, pipeline, genuine, event.id, f"http://127.0.0.1:{ingress.port}/stripe")
    for record in pipeline.log.read(pipeline.topic):
        output.hear(f"record {record.offset}", b"\n".join([record.key or b"", *(name.encode() + value for name, value in record.headers)]))
    pipeline.end_programs()
    for program in (ingress, consumer):
        output.hear(program.label, program.out.read_bytes() + program.err.read_bytes())
    output.expect_none_of(kept)


FORGED = [("Stripe-Signature", f"t=1,v1={'0' * 64}"), ("x-callback-token", "wrong"), ("X-Hub-Signature-256", f"sha256={'0' * 64}"),
          ("webhook-signature", "v1,AAAA"), ("webhook-id", "a"), ("webhook-timestamp", "1"), ("Wechatpay-Signature", "AAAA")]


def answered(output: Output, ingress: Program, what: str, data: bytes) -> int:
    answer = exchange(ingress.port, data, closes_within=0.05)
    output.hear(what, f"{answer.headers}".encode() + answer.body + answer.surplus)
    return answer.status


def commands(output: Output, pipeline: Pipeline, genuine: bytes, event_id: str, url: str) -> None:
    file = pipeline.folder / "captured.http"
    file.write_bytes(genuine)
    for arguments in (["verify", "--source", "stripe", "--request", str(file)], ["verify", "--source", "github", "--request", str(file)],
                      ["send", "--source", "stripe", "--url", url, "--count", "3", "--json"], ["doctor"], ["doctor", "--json"], ["topics"],
                      ["migrate"], ["recipes", "show", "stripe"], ["event", "show", event_id, "--json"], ["paypal", "list", "--source", "paypal"],
                      ["paypal", "fetch", "--source", "paypal", "--url", "https://evil.example/a"]):
        call(output, pipeline, *arguments)
    assert "accepted" in output.said[f"sluicectl verify --source stripe --request {file}"].lower()


# memory

def times_in_memory(program: Program, secret: bytes) -> int:
    """How often the bytes lie in what the process could write to: what a core would hold."""
    found = 0
    with open(f"/proc/{program.pid}/maps") as maps, open(f"/proc/{program.pid}/mem", "rb", buffering=0) as memory:
        for line in maps:
            bounds, rights, *_ = line.split()
            if rights[1] != "w" or "[v" in line:
                continue
            start, end = (int(bound, 16) for bound in bounds.split("-"))
            try:
                memory.seek(start)
                found += memory.read(end - start).count(secret)
            except OSError:
                continue  # a guard page
    return found


def test_key_that_was_taken_out_is_in_no_memory(pipeline: Pipeline) -> None:
    """One thread, since a thread lets go of old keys when it sees the next request."""
    old = {"stripe": "whsec_" + secrets.token_hex(24), "standard-webhooks": "whsec_" + base64.b64encode(os.urandom(30)).decode(),
           "adyen": secrets.token_hex(32)}
    for name, secret in old.items():
        (pipeline.folder / name).write_text(secret + "\n")
    wanted = ("stripe", "standard-webhooks", "adyen")
    pipeline.config["sources"] = [source for source in sources_of(pipeline.folder) if source["name"] in wanted]
    pipeline.log.create(f"{pipeline.topic}.originals")
    ingress = pipeline.ingress(threads=1)
    forge_all(ingress, pipeline)
    materials = {"stripe": old["stripe"].encode(), "standard-webhooks": base64.b64decode(old["standard-webhooks"][6:]),
                 "adyen": bytes.fromhex(old["adyen"])}
    for name, material in materials.items():
        assert times_in_memory(ingress, material) > 0, f"the live key of {name} is nowhere: this test sees nothing"
    (pipeline.folder / "stripe").write_text("whsec_" + secrets.token_hex(24))
    (pipeline.folder / "standard-webhooks").write_text("whsec_" + base64.b64encode(os.urandom(30)).decode())
    (pipeline.folder / "adyen").write_text(secrets.token_hex(32))
    reloads = len(ingress.decisions("config_reloaded"))
    ingress.reload()
    wait_for(lambda: len(ingress.decisions("config_reloaded")) > reloads, "the reload")
    forge_all(ingress, pipeline)
    left = {name: times_in_memory(ingress, material) for name, material in materials.items()}
    left |= {f"{name} as text": times_in_memory(ingress, secret.removeprefix("whsec_").encode()) for name, secret in old.items()}
    assert not any(left.values()), left


def forge_all(ingress: Program, pipeline: Pipeline) -> None:
    """A request to every source that gets as far as the keys."""
    for source in pipeline.config["sources"]:
        headers = [("Content-Type", "application/json"), ("Stripe-Signature", f"t={int(time.time())},v1={'0' * 64}"),
                   ("webhook-id", "a"), ("webhook-timestamp", str(int(time.time()))), ("webhook-signature", "v1," + "A" * 43 + "=")]
        body = ADYEN if source["name"] == "adyen" else b"{}"
        assert exchange(ingress.port, request(source["path"], body, headers=headers), closes_within=0.05).status in (400, 401), source["name"]


ADYEN = (b'{"live":"false","notificationItems":[{"NotificationRequestItem":{"pspReference":"8","originalReference":"",'
         b'"merchantAccountCode":"Shop","merchantReference":"r","amount":{"value":1,"currency":"EUR"},"eventCode":"AUTHORISATION",'
         b'"success":"true","additionalData":{"hmacSignature":"' + b"A" * 43 + b'="}}}]}')
