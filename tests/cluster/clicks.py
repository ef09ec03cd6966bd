"""Clicks that a service charges while something happens to the release. Each is sent again under its key until it has its response."""

from __future__ import annotations

import http.client
import itertools
import json
import re
import subprocess
import threading
import time
from collections import Counter
from types import TracebackType
from typing import Self

from tests.cluster.kube import RELEASE
from tests.cluster.release import Release
from tests.support.caller import Caller
from tests.support.wait import wait_for

COMMAND, RICH, PRICE = "charge-click", 1_000_000, 3
HOT = "m-hot"
SMALL = tuple(f"m-{number}" for number in range(20))
CALLERS, SENT_FOR = 6, 60.0
TABLE = "CREATE TABLE merchant_balance (merchant VARCHAR(64) PRIMARY KEY, balance BIGINT NOT NULL)"


class Way:
    """From this machine to a ready pod of the Service, another one for each request, by the API server."""

    def __init__(self, release: Release) -> None:
        self._proxy = subprocess.Popen(release.kube.command("proxy", "--port=0"), stdout=subprocess.PIPE, text=True)
        assert self._proxy.stdout is not None
        said = self._proxy.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", said)
        assert found, f"kubectl proxy says: {said!r}"
        self.port = int(found[1])
        self.prefix = f"/api/v1/namespaces/{release.kube.namespace}/services/http:{RELEASE}-command:commands/proxy"

    def close(self) -> None:
        self._proxy.terminate()
        self._proxy.wait(10)

    def post(self, caller: Caller, key: str, body: bytes) -> tuple[int, bytes]:
        """0: no answer."""
        target, field = f"/v1/commands/{COMMAND}", f'"{key}"'
        headers = {"content-type": "application/json", "idempotency-key": field, **caller.signature("POST", target.encode(), field.encode(), body)}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        try:
            connection.request("POST", self.prefix + target, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            connection.close()


class Clicks:
    """A steady stream of them while the block lasts; every second one is of the hot merchant."""

    def __init__(self, release: Release, caller: Caller) -> None:
        self.release, self.caller = release, caller
        self.charged: dict[str, str] = {}  # merchants by key
        self.answers: Counter[int] = Counter()
        self._errors: list[BaseException] = []
        self._numbers, self._over = itertools.count(), threading.Event()
        self._callers = [threading.Thread(target=self._call) for _ in range(CALLERS)]

    def __enter__(self) -> Self:
        self._way = Way(self.release)
        for caller in self._callers:
            caller.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        for caller in self._callers:
            caller.join()
        self._way.close()
        assert kind or not self._errors, self._errors

    def _call(self) -> None:
        try:
            while not self._over.is_set():
                number = next(self._numbers)
                self._charge(f"click-{number}", HOT if number % 2 else SMALL[number // 2 % len(SMALL)])
        except BaseException as error:
            self._errors.append(error)

    def _charge(self, key: str, merchant: str) -> None:
        """Every fifth one is sent once more though it has its response."""
        body = json.dumps({"merchant": merchant, "price": PRICE}).encode()
        response = self._response(key, body)
        self.charged[key] = merchant
        if int(key.removeprefix("click-")) % 5 == 0:
            assert self._response(key, body) == response, f"{key}: another response"

    def _response(self, key: str, body: bytes) -> bytes:
        until = time.monotonic() + SENT_FOR
        while time.monotonic() < until:
            status, said = self._way.post(self.caller, key, body)
            self.answers[status] += 1
            if status == 200:
                return said
        raise AssertionError(f"{key} got no response: {self.answers}")

    def wait_for(self, count: int) -> None:
        """So many more of them."""
        wanted = len(self.charged) + count

        def enough() -> bool:
            if self._errors:
                raise RuntimeError(self._errors[0])
            return len(self.charged) >= wanted

        wait_for(enough, f"{count} clicks", within=120, every=0.1)

    def expect_each_charged_once(self) -> None:
        """By key and by balance; what is hot is booked after it was answered."""
        ledger, times = self.release.ledger, Counter(self.charged.values())
        expected = {merchant: RICH - PRICE * times[merchant] for merchant in (HOT, *SMALL)}
        wait_for(lambda: ledger.run("SELECT COUNT(*) FROM command_key WHERE status = 200") == [(len(self.charged),)],
                 f"{len(self.charged)} keys with their response", within=60, every=0.5)
        assert dict(ledger.run("SELECT merchant, balance FROM merchant_balance")) == expected
