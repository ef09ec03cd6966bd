"""Signs what schemathesis makes up: loaded by it, see tests/integration/test_command_contract.py."""

from __future__ import annotations

import os

import schemathesis
from requests import PreparedRequest
from requests.auth import AuthBase

from tests.support.caller import Caller

CALLER = Caller(0)


class Signed(AuthBase):
    """As it leaves: only then are its target and its body known byte for byte."""

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        key = request.headers.get("idempotency-key", "")
        key = (key.encode("latin-1") if isinstance(key, str) else key).strip(b" \t")
        for name, value in CALLER.signature(request.method, request.path_url.encode(), key, body).items():
            request.headers[name] = value
        return request


@schemathesis.hook
def before_call(context: object, case: object, kwargs: dict) -> None:
    if os.environ.get("CONTRACT_UNSIGNED") != "1":
        kwargs["auth"] = Signed()
