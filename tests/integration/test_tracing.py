"""One trace for each webhook, told to a collector that may do as it likes: nothing of it is felt on the path."""

from __future__ import annotations

import secrets

import pytest

from tests.support import collector as stub
from tests.support.collector import Collector, traced
from tests.support.events import Event, payment
from tests.support.pipeline import PATH, SOURCE, Pipeline
from tests.support.provider import Provider
from tests.support.wait import wait_for

CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-"
REQUEST = f"POST {PATH}"


def deliver(provider: Provider, event: Event, *, traceparent: str = "") -> None:
    fields = provider.headers(event.body)
    if traceparent:
        fields.append(("traceparent", traceparent))
    answer = provider.post(event.body, fields)
    assert answer.status == 200, answer


def test_a_request_is_one_trace(pipeline: Pipeline, collector: Collector) -> None:
    provider = pipeline.provider(traced(pipeline, collector).ingress())
    event = payment("cus_1", 100)
    deliver(provider, event)
    send = collector.wait_for_span(f"send {pipeline.topic}")
    request, claim = collector.wait_for_span(REQUEST), collector.wait_for_span("claim")
    assert [request.kind, claim.kind, send.kind] == [stub.SERVER, stub.CLIENT, stub.PRODUCER]
    assert request.parent == "" and claim.parent == send.parent == request.id
    assert {request.trace, claim.trace, send.trace} == {request.trace}
    assert len({request.id, claim.id, send.id}) == 3
    assert request.began <= claim.began <= claim.ended <= send.began <= send.ended <= request.ended
    assert request.attributes == {
        "http.request.method": "POST", "http.route": PATH, "http.response.status_code": 200, "url.scheme": "http",
        "sluice.source": SOURCE, "sluice.outcome": "accepted", "cloudevents.event_id": event.id,
        "cloudevents.event_type": event.type}
    [record] = pipeline.log.read(pipeline.topic)
    assert record.text("traceparent") == f"00-{send.trace}-{send.id}-01", "what reads it goes on from the publish"


def test_a_caller_is_gone_on_from(pipeline: Pipeline, collector: Collector) -> None:
    provider = pipeline.provider(traced(pipeline, collector, ratio=0).ingress())
    deliver(provider, payment("cus_1", 100), traceparent=CALLER + "00")  # nobody keeps this one
    deliver(provider, payment("cus_1", 200), traceparent=CALLER + "01")
    request = collector.wait_for_span(REQUEST)
    assert request.trace == CALLER[3:35] and request.parent == CALLER[36:52]
    assert len(collector.named(REQUEST)) == 1
    flags = sorted(record.text("traceparent")[-2:] for record in pipeline.log.read(pipeline.topic))
    assert flags == ["00", "01"]


def test_a_duplicate_has_no_publish(pipeline: Pipeline, collector: Collector) -> None:
    provider = pipeline.provider(traced(pipeline, collector).ingress())
    provider.deliver(payment("cus_1", 100)).twice().expect(200)
    request = collector.wait_for_span(REQUEST, sluice_outcome="duplicate")
    names = sorted(span.name for span in collector.spans if span.trace == request.trace)
    assert names == [REQUEST, "claim"]


def test_nobody_unauthentic_is_traced(pipeline: Pipeline, collector: Collector) -> None:
    """Who knows no secret must not fill the collector, flag or no flag."""
    provider = pipeline.provider(traced(pipeline, collector).ingress())
    event = payment("cus_1", 100)
    forged = provider.headers(event.body, secret="whsec_other") + [("traceparent", CALLER + "01")]
    assert provider.post(event.body, forged).status == 400
    deliver(provider, event)
    collector.wait_for_span(REQUEST)
    assert {span.attributes.get("sluice.outcome") for span in collector.named(REQUEST)} == {"accepted"}


@pytest.mark.parametrize("failpoints,outcome,status", [
    ("ingress.before_produce=error", "unavailable", 503), ("ingress.after_ack_before_confirm=error", "not_acked", 503)])
def test_an_error_is_told_unsampled(pipeline: Pipeline, collector: Collector, failpoints: str, outcome: str,
                                    status: int) -> None:
    provider = pipeline.provider(traced(pipeline, collector, ratio=0).ingress(failpoints))
    event = payment("cus_1", 100)
    assert provider.post(event.body, provider.headers(event.body)).status == status
    request = collector.wait_for_span(REQUEST)
    assert request.failed and request.flags == 0
    assert request.attributes["error.type"] == request.attributes["sluice.outcome"] == outcome
    assert request.attributes["http.response.status_code"] == status


def test_quarantine_is_told_unsampled(pipeline: Pipeline, collector: Collector) -> None:
    provider = pipeline.provider(traced(pipeline, collector, ratio=0).ingress())
    body = b"hello"
    assert provider.post(body, provider.headers(body)).status == 200
    request = collector.wait_for_span(REQUEST)
    send = collector.wait_for_span(f"send {pipeline.quarantine}")
    assert request.attributes["sluice.outcome"] == "quarantined" and request.attributes["sluice.reason"]
    [record] = pipeline.log.read(pipeline.quarantine)
    assert record.text("traceparent") == f"00-{send.trace}-{send.id}-00"


# A collector that wants a token

def test_headers_are_sent_and_their_values_never_said(pipeline: Pipeline, collector: Collector) -> None:
    token = secrets.token_urlsafe(24)
    (pipeline.folder / "token").write_text(f"Bearer {token}\n")
    pipeline.secrets["TEST_TENANT"] = "payments"
    collector.behaviour = stub.wanting(f"Authorization: Bearer {token}")
    traced(pipeline, collector).config["tracing"]["headers"] = [
        {"name": "Authorization", "value": {"file": str(pipeline.folder / "token")}},
        {"name": "X-Scope-OrgID", "value": {"env": "TEST_TENANT"}}]
    pipeline.ledger.open_wallet("cus_1")
    consumer, ingress = pipeline.consumer(), pipeline.ingress()
    deliver(pipeline.provider(ingress), payment("cus_1", 100))
    collector.wait_for_span(REQUEST)
    collector.wait_for_span(f"process {pipeline.topic}")
    collector.behaviour = stub.wanting("X-Scope-OrgID: payments")
    before = len(collector.named(REQUEST))
    deliver(pipeline.provider(ingress), payment("cus_1", 100))
    wait_for(lambda: len(collector.named(REQUEST)) > before, "the second header")
    collector.behaviour = stub.wanting("Authorization: Bearer another")
    deliver(pipeline.provider(ingress), payment("cus_1", 100))
    wait_for(lambda: ingress.decisions("trace_export_failed"), "the refusal to be said")
    pipeline.end_programs()
    for program in (ingress, consumer):
        assert token.encode() not in program.out.read_bytes() + program.err.read_bytes()


# A collector that is no good

BAD = {"hanging": stub.hanging, "deaf": stub.deaf, "slow": stub.dripping, "garbage": stub.garbage, "dying": stub.dying,
       "overloaded": stub.saying(b"503 Service Unavailable"), "refusing": stub.saying(b"404 Not Found")}


@pytest.mark.parametrize("kind", [*BAD, "away"])
def test_a_bad_collector_is_not_felt(pipeline: Pipeline, collector: Collector, kind: str) -> None:
    """Every webhook is answered, the queue stays bounded, the failure is counted and said once, and the end comes soon."""
    if kind == "away":
        collector.go_away()
    else:
        collector.behaviour = BAD[kind]
    ingress = traced(pipeline, collector).ingress()
    provider = pipeline.provider(ingress)
    answers = [provider.deliver(payment("cus_1", 100 + number)) for number in range(30)]
    for delivery in answers:
        delivery.expect(200)
    wait_for(lambda: ingress.metrics().total("sluice_trace_export_failures_total") >= 1, "a failure to be counted")
    assert ingress.metrics().total("sluice_trace_exported_total") == 0
    wait_for(lambda: ingress.decisions("trace_export_failed"), "it to be said")
    [line] = ingress.decisions("trace_export_failed")
    assert line["endpoint"] == collector.endpoint and line["reason"]
    assert ingress.stop() == 0, ingress.story()


def test_a_collector_that_comes_back_gets_what_waited(pipeline: Pipeline, collector: Collector) -> None:
    collector.go_away()
    ingress = traced(pipeline, collector).ingress()
    provider = pipeline.provider(ingress)
    deliver(provider, payment("cus_1", 100))
    wait_for(lambda: ingress.metrics().total("sluice_trace_export_failures_total") >= 1, "a failure to be counted")
    collector.listen(collector.port)
    collector.wait_for_span(REQUEST)
    wait_for(lambda: ingress.decisions("trace_export_restored"), "it to be said")
    assert len(ingress.decisions("trace_export_failed")) == 1
    assert ingress.metrics().total("sluice_trace_dropped_total") == 0


def test_what_is_queued_is_sent_at_the_end(pipeline: Pipeline, collector: Collector) -> None:
    ingress = traced(pipeline, collector).ingress()
    deliver(pipeline.provider(ingress), payment("cus_1", 100))
    assert ingress.stop() == 0
    assert len(collector.named(REQUEST)) == 1
