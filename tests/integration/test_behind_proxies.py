"""Behind nginx and behind load balancers (HAProxy), set up as docs/kubernetes.md says: addresses, bounds, framing, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import events, front
from tests.support.front import CLIENT, WITHOUT_LENGTH, Answer, Front
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.wait import expect_soon

FORWARDED = {"mode": "forwarded", "trusted": ["127.0.0.1/32"]}
LIARS_HEADER = ("X-Forwarded-For", "203.0.113.9")
LIARS_OTHER_HEADER = ("Forwarded", "for=203.0.113.9")


class Site:
    """An ingress and what stands before it."""

    def __init__(self, pipeline: Pipeline, ingress: Program, before: Front) -> None:
        self.pipeline, self.ingress, self.front = pipeline, ingress, before
        self.provider: Provider = pipeline.provider(ingress)

    def deliver(self, event: events.Event, *options: str, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
        return front.post(self.front, PATH, event.body, [*self.provider.headers(event.body), *headers], *options)

    def expect_came_from(self, address: str) -> None:
        def is_named() -> None:
            seen = {line["client"] for line in self.ingress.log_lines() if "client" in line}
            assert seen == {address}, f"the ingress names {seen} as its clients"
        expect_soon(is_named)


@pytest.fixture
def site(pipeline: Pipeline, test_folder: Path) -> Iterator[Callable[..., Site]]:
    """`made(front.nginx, …)`: an ingress with these settings of `listen`, and that proxy before it."""
    fronts: list[Front] = []

    def make(before: Callable[[Path, int], Front], **listen: object) -> Site:
        ingress = pipeline.ingress(**listen)
        fronts.append(before(test_folder / "front", ingress.port))
        return Site(pipeline, ingress, fronts[-1])

    yield make
    for each in fronts:
        each.stop()


# nginx, which is what ingress-nginx writes

def test_nginx_speaks_to_us_as_we_want(site: Callable[..., Site]) -> None:
    """HTTP/2 with a length unknown outside, HTTP/1.1 with Content-Length inside; the address is the client's and not the liar's."""
    behind = site(front.nginx, proxy=FORWARDED)
    first, second = events.payment(), events.payment()
    assert behind.deliver(first, headers=(LIARS_HEADER, LIARS_OTHER_HEADER)).status == 200
    assert behind.deliver(second, *WITHOUT_LENGTH, headers=(LIARS_HEADER,)).status == 200
    behind.pipeline.expect_published(first)
    behind.pipeline.expect_published(second)
    behind.expect_came_from(CLIENT)


def test_nginx_lets_our_bound_decide(site: Callable[..., Site]) -> None:
    """Our 413 up to nginx's own bound, and nginx's beyond it."""
    behind = site(front.nginx, proxy=FORWARDED)
    for size, by_us in ((512 * 1024 + 1, 1), (1024 * 1024 + 1, 1)):
        assert behind.deliver(events.payment().with_body(b"x" * size)).status == 413
        behind.ingress.expect_metric(by_us, "sluice_ingress_decisions_total", decision="too_large")
    behind.pipeline.expect_nothing_published()


def test_nginx_passes_our_503_on(pipeline: Pipeline, site: Callable[..., Site]) -> None:
    """Kafka has the topic no more: the provider hears 503 with Retry-After, and not a word of nginx's own."""
    behind = site(front.nginx, proxy=FORWARDED)
    pipeline.log.delete(pipeline.topic)
    answer = behind.deliver(events.payment())
    assert answer.status == 503 and int(answer.headers["retry-after"]) >= 1


def test_a_dead_ingress_behind_nginx_is_no_200(site: Callable[..., Site]) -> None:
    behind = site(front.nginx, proxy=FORWARDED)
    behind.ingress.kill()
    assert behind.deliver(events.payment()).status == 502
    behind.pipeline.expect_nothing_published()


# As they come, without a word of ours in their configuration

@pytest.mark.parametrize("before", [front.nginx_as_it_comes, front.haproxy_as_it_comes])
@pytest.mark.parametrize("client", ["--http1.1", "--http1.0"])
def test_defaults(site: Callable[..., Site], before: Callable[[Path, int], Front], client: str) -> None:
    """nginx speaks HTTP/1.0 to us, HAProxy passes on what the client speaks. One request after the other, small and large."""
    behind = site(before)
    sent = [events.payment() for _ in range(3)]
    large = events.payment()
    sent.append(large.with_body(large.body.replace(b"{", b"{" + b" " * 200_000, 1)))
    for event in sent:
        assert behind.deliver(event, client).status == 200
    for event in sent:
        behind.pipeline.expect_published(event)
    assert behind.deliver(events.payment().with_body(b"x" * (512 * 1024 + 1)), client).status == 413


def test_nginx_as_it_comes_gathers_what_has_no_length(site: Callable[..., Site]) -> None:
    behind = site(front.nginx_as_it_comes)
    event = events.payment()
    assert behind.deliver(event, *WITHOUT_LENGTH).status == 200
    behind.pipeline.expect_published(event)


@pytest.mark.parametrize("before", [front.nginx_as_it_comes, front.haproxy_as_it_comes])
def test_what_a_proxy_puts_in_costs_no_webhook(site: Callable[..., Site], before: Callable[[Path, int], Front]) -> None:
    """A city with its letters, and an option of a connection that is not ours."""
    behind = site(before)
    event = events.payment()
    assert behind.deliver(event, headers=(("CF-IPCity", "São Paulo"), ("Connection", "TE"), ("TE", "trailers"))).status == 200
    behind.pipeline.expect_published(event)


# A load balancer

def test_tcp_with_proxy_protocol(site: Callable[..., Site], test_folder: Path) -> None:
    """TLS ends here, and the balancer's word for the address counts."""
    pem = front.certificate(test_folder)
    behind = site(front.load_balancer_of_tcp, proxy={"mode": "v2", "trusted": ["127.0.0.1/32"]},
                  tls={"cert": {"file": str(pem.with_suffix(".crt"))}, "key": {"file": str(pem.with_suffix(".key"))}})
    event = events.payment()
    assert behind.deliver(event, headers=(LIARS_HEADER,)).status == 200
    behind.pipeline.expect_published(event)
    behind.expect_came_from(CLIENT)
    assert front.post(behind.ingress, PATH, event.body, behind.provider.headers(event.body)).status == 0, "it did not come through the balancer"


def test_http_of_a_balancer_that_streams(site: Callable[..., Site]) -> None:
    """With a length it is as behind nginx; without one it arrives chunked, which is refused unless the source allows it."""
    behind = site(front.load_balancer_of_http, proxy=FORWARDED)
    event = events.payment()
    assert behind.deliver(event, *WITHOUT_LENGTH).status == 411
    assert behind.deliver(event).status == 200
    behind.pipeline.expect_published(event)
    behind.expect_came_from(CLIENT)


def test_http_of_a_balancer_that_streams_where_the_source_takes_chunks(pipeline: Pipeline, site: Callable[..., Site]) -> None:
    pipeline.config["sources"][0]["chunked"] = True
    behind = site(front.load_balancer_of_http, proxy=FORWARDED)
    event = events.payment()
    assert behind.deliver(event, *WITHOUT_LENGTH).status == 200
    behind.pipeline.expect_published(event)
