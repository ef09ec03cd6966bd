"""An outlet as a process (tests/unit/ingress/outlet/outlet_process.cpp): what the poller has in place of an ingress."""

from __future__ import annotations

import copy
import json
import os
import secrets
import subprocess
from pathlib import Path

import redis
import yaml

from tests.support.pipeline import Pipeline
from tests.support.program import binary
from tests.support.wait import wait_for

LONG = 30_000  # milliseconds: as long as librdkafka tries


def parcel(key: str = "stripe/acct_main/pi_1", **more: object) -> dict:
    """An event that nobody has seen before."""
    return {"key": key, "value": secrets.token_hex(8), "marker": [secrets.token_hex(32), secrets.token_hex(32)], **more}


class Outlet:
    """Dies with the test run, and with the `with` that it is used in."""

    def __init__(self, pipeline: Pipeline, failpoints: str = "", **kafka: object) -> None:
        config = {name: copy.deepcopy(pipeline.config[name]) for name in ("kafka", "redis")}
        config["kafka"].update(kafka)
        self._has_redis = bool(config["redis"]["urls"])
        file = Path(pipeline.folder) / f"outlet-{secrets.token_hex(4)}.yaml"
        file.write_text(yaml.safe_dump(config))
        self._err = file.with_suffix(".err")
        with self._err.open("wb") as err:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", str(binary("outlet_integration")), "--config", str(file)], text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, env={**os.environ, "SLUICE_FAILPOINTS": failpoints})

    def __enter__(self) -> Outlet:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def report(self) -> dict:
        return self._ask({"do": "report"})

    def ready(self) -> Outlet:
        """With Redis, of which readiness does not speak: what is confirmed without it has no marker."""
        wait_for(lambda: self.report()["ready"], "the outlet to be ready")
        wait_for(lambda: not self._has_redis or "redis_ready" in self._err.read_text(), "its Redis")
        return self

    def deliver(self, *parcels: dict, within: int = LONG) -> list[str]:
        return self._ask({"do": "deliver", "within": within, "parcels": parcels})

    def start(self, *parcels: dict, within: int = LONG) -> None:
        """Returns at once; `close` has the answer."""
        self._say({"do": "start", "within": within, "parcels": parcels})

    def close(self, within: float = LONG / 1000) -> list[list[str]]:
        """What became of what was started. An AssertionError where it does not end by itself, or with an error."""
        try:
            said, _ = self._process.communicate(timeout=within)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the outlet still runs after {within:g} s\n{self._err.read_text()}") from None
        assert self._process.returncode == 0, self._err.read_text()
        return [json.loads(line) for line in said.splitlines()]

    def died_of(self, *parcels: dict) -> int:
        """Delivers, and dies of it: the exit code."""
        self.start(*parcels)
        return self._process.wait(LONG / 1000)

    def _say(self, wish: dict) -> None:
        assert self._process.stdin
        print(json.dumps(wish), file=self._process.stdin, flush=True)

    def _ask(self, wish: dict):
        self._say(wish)
        assert self._process.stdout
        answer = self._process.stdout.readline()
        assert answer, f"the outlet ended\n{self._err.read_text()}"
        return json.loads(answer)


class Markers:
    """What Redis holds of parcels, whatever the log."""

    def __init__(self, port: int) -> None:
        self._client = redis.Redis(port=port)

    def of(self, sent: dict) -> str:
        """Empty: none."""
        [key] = self._client.keys(f"wh:*:{sent['marker'][0]}") or [b""]
        return (self._client.get(key) or b"").decode() if key else ""

    def expect_durable(self, *sent: dict) -> None:
        wait_for(lambda: all(self.of(one) == f"D:{one['marker'][1]}" for one in sent), "the confirmations")

    def expect_pending(self, sent: dict) -> None:
        wait_for(lambda: self.of(sent).startswith("P:"), "the claim")

    def all_durable(self) -> dict[str, str]:
        """Mark by dedup key."""
        held = {key.decode().rsplit(":", 1)[1]: (self._client.get(key) or b"").decode() for key in self._client.keys("wh:*")}
        return {key: value.removeprefix("D:") for key, value in held.items() if value.startswith("D:")}
