"""`sluicectl command settle` whose connection breaks between the record's COMMIT and its word."""

# ruff: noqa: F811
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.integration.test_command_call import APPLY, caller, problem, record, refund, service, settle, start  # noqa: F401
from tests.support import executing
from tests.support.caller import Caller
from tests.support.executing import Service
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.tcp_proxy import TcpProxy

NOTE = b"by hand, ada"  # stands in the request that writes it, on MySQL and on Redis


@pytest.fixture
def lost(start: Callable[..., Program], service: Service, caller: Caller) -> str:
    """The key of a call that was executed, and nobody knows."""
    start(query=None)
    service.way = executing.does_it_and_hangs
    assert problem(refund(caller)) == (502, "not_known")
    return service.calls[0].key


@pytest.fixture
def paid(pipeline: Pipeline, lost: str) -> tuple[str, ...]:
    response = pipeline.folder / "paid.json"
    response.write_text('{"execution": 1}')
    return lost, "executed", "--body", str(response), *APPLY


@contextmanager
def through(pipeline: Pipeline, record: str, on_request: Callable[[bytes], bool]) -> Iterator[TcpProxy]:
    """`sluicectl` reaches the record through it."""
    at = pipeline.database.port if record == "mysql" else int(pipeline.config["redis"]["urls"][0].rsplit(":", 1)[1].split("/")[0])
    with TcpProxy(at, on_request) as proxy:
        if record == "mysql":
            pipeline.config["mysql"]["port"] = proxy.port
        else:
            pipeline.config["redis"]["urls"] = [f"redis://127.0.0.1:{proxy.port}/0"]
        yield proxy


def test_its_own_word_that_got_lost_is_not_somebody_elses(pipeline: Pipeline, record: str, caller: Caller, paid: tuple[str, ...]) -> None:
    """It tries again, and finds what its first try has written."""
    said: list[bytes] = []

    def is_the_first(request: bytes) -> bool:
        if NOTE in request:
            said.append(request)
        return NOTE in request and len(said) == 1
    with through(pipeline, record, is_the_first) as proxy:
        assert "Done." in settle(pipeline, *paid)
        assert (proxy.lost, len(said)) == (1, 2)
    assert refund(caller).json == {"execution": 1}


def test_nor_where_no_try_is_confirmed(pipeline: Pipeline, record: str, caller: Caller, paid: tuple[str, ...]) -> None:
    with through(pipeline, record, lambda request: NOTE in request) as proxy:
        assert "Done." in settle(pipeline, *paid)
        assert proxy.lost == 2
    assert refund(caller).is_replayed


def test_a_record_that_is_gone_by_then_leaves_it_open(pipeline: Pipeline, record: str, caller: Caller, paid: tuple[str, ...]) -> None:
    gone: list[bytes] = []

    def is_gone(request: bytes) -> bool:
        if NOTE in request:
            gone.append(request)
        return bool(gone)
    with through(pipeline, record, is_gone):
        assert "nobody knows yet whether it was changed" in settle(pipeline, *paid, code=3)
    assert refund(caller).is_replayed, "it was"


@pytest.mark.parametrize("record", ["mysql"], indirect=True)
def test_whoever_was_faster_is_named_as_such(pipeline: Pipeline, record: str, lost: str, paid: tuple[str, ...]) -> None:
    def settled_before(request: bytes) -> bool:
        if NOTE in request:
            pipeline.ledger.run("UPDATE command_key SET state = 2, fence = fence + 1, why = 'by hand, bob: not there'")
        return False
    with through(pipeline, record, settled_before):
        assert "somebody was faster" in settle(pipeline, *paid, code=1)
