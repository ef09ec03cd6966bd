"""What is read out of an authentic request, by recipe."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from tests.vectors.checker.facts import first_text, lenient, numbered, required, rfc_3339, type_of, unix_time
from tests.vectors.checker.form_document import held
from tests.vectors.checker.json_document import Unreadable, at, parse
from tests.vectors.checker.mercado_pago import data_id
from tests.vectors.checker.request import Request
from tests.vectors.checker.standard_webhooks import header

Event = dict[str, str]
Source = dict[str, Any]


def _event(identifier: Any, kind: str, about: str, time: str) -> Event:
    return {"id": required(identifier), "type": kind, "object": about, "time": time}


def _digest(request: Request) -> str:
    """Where nobody signs an id: the same bytes are the same event."""
    return hashlib.sha256(request.body).hexdigest()


def _ordered(document: Any, source: Source, *pointers: str) -> str:
    return first_text(*(numbered(at(document, pointer)) for pointer in source.get("order_by", pointers)))


def _plain(identifier: str, kind: str, about: str, time: str) -> Callable[[Source, Request, Any], list[Event]]:
    """All four facts are members of the document."""
    def read(source: Source, _: Request, document: Any) -> list[Event]:
        return [_event(at(document, identifier), type_of(at(document, kind)), _ordered(document, source, *about.split()),
                       rfc_3339(at(document, time)))]
    return read


def _standard(recipe: str) -> Callable[[Source, Request, Any], list[Event]]:
    def read(source: Source, request: Request, document: Any) -> list[Event]:
        kind = at(document, "/type")
        return [_event(header(recipe, request, "id"), "message" if kind is None else type_of(kind), _ordered(document, source),
                       lenient(unix_time if isinstance(at(document, "/timestamp"), int) else rfc_3339, at(document, "/timestamp")))]
    return read


def _github(source: Source, request: Request, document: Any) -> list[Event]:
    action = at(document, "/action")
    kind = type_of(request.optional("X-GitHub-Event"), *([] if action is None else [action]))
    return [_event(f"{request.optional('X-GitHub-Event')}.{_digest(request)}", kind, _ordered(document, source), "")]


def _shopify(begins: str, order_by: str) -> Callable[[Source, Request, Any], list[Event]]:
    def read(source: Source, request: Request, document: Any) -> list[Event]:
        topic = type_of(request.one(begins + "Topic"))
        return [_event(f"{topic}.{_digest(request)}", topic, _ordered(document, source, *order_by.split()),
                       lenient(rfc_3339, at(document, "/updated_at")))]
    return read


def _razorpay(source: Source, request: Request, document: Any) -> list[Event]:
    kind = type_of(at(document, "/event"))
    about = _ordered(document, source, f"/payload/{kind.partition('.')[0]}/entity/id")
    return [_event(_digest(request), kind, about, unix_time(at(document, "/created_at")))]


def _xendit(source: Source, request: Request, document: Any) -> list[Event]:
    return [_event(request.optional("webhook-id"), type_of(at(document, "/event")), _ordered(document, source, "/data/payment_request_id", "/data/payment_id", "/data/id"),
                   lenient(rfc_3339, at(document, "/data/updated")))]


def _gocardless(_: Source, __: Request, document: Any) -> list[Event]:
    events = at(document, "/events")
    if not isinstance(events, list):
        raise Unreadable("no list of events")
    return [_gocardless_event(event) for event in events]


def _gocardless_event(event: Any) -> Event:
    resource = required(at(event, "/resource_type"))
    about = first_text(at(event, f"/links/{resource.removesuffix('s')}"))
    return _event(at(event, "/id"), type_of(resource, at(event, "/action")), about, rfc_3339(at(event, "/created_at")))


def _adyen_platform(_: Source, request: Request, document: Any) -> list[Event]:
    about = first_text(at(document, "/data/id"))
    return [_event(_digest(request), type_of(at(document, "/type")), about, lenient(rfc_3339, at(document, "/timestamp")))]


def _mercado_pago(_: Source, request: Request, document: Any) -> list[Event]:
    about = data_id(request.target) or ""
    kind = type_of(first_text(at(document, "/action"), at(document, "/type")))
    identifier = numbered(at(document, "/id"))
    if identifier is None:
        identifier = f"{required(about)}.{required(at(document, '/action'))}"
    return [_event(identifier, kind, about, lenient(rfc_3339, at(document, "/date_created")))]


READERS = {
    "standard-webhooks": _standard("standard-webhooks"),
    "svix": _standard("svix"),
    "github": _github,
    "shopify": _shopify("X-Shopify-", "/order_id /id"),
    "shopify-events": _shopify("Shopify-", "/id"),
    "square": _plain("/event_id", "/type", "/data/object/refund/payment_id /data/object/dispute/disputed_payment/payment_id /data/id", "/created_at"),
    "razorpay": _razorpay,
    "paddle": _plain("/event_id", "/event_type", "/data/id", "/occurred_at"),
    "checkout": _plain("/id", "/type", "/data/payment_id /data/id", "/created_on"),
    "gocardless": _gocardless,
    "mercado-pago": _mercado_pago,
    "adyen-platform": _adyen_platform,
    "mollie": _plain("/id", "/type", "/_embedded/entity/paymentId /entityId", "/createdAt"),
    "coinbase-commerce": _plain("/event/id", "/event/type", "/event/data/id /event/data/code", "/event/created_at"),
    "dwolla": _plain("/id", "/topic", "/resourceId", "/timestamp"),
    "klarna": _plain("/metadata/event_id", "/metadata/event_type", "", "/metadata/occurred_at"),
    "xendit": _xendit,
}


def read_events(recipe: str, source: Source, request: Request) -> list[Event]:
    try:
        body = held(request.body, b"payload") if recipe == "github" else request.body
        return READERS[recipe](source, request, parse(body))
    except Unreadable:
        return []
