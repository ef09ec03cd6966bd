"""Paddle's list of events: GET /events (developer.paddle.com/api-reference/events/list-events).

It knows no times: ids sort as their events were created, either way, and a page goes on after an id of that order.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from tests.support.event_list import BadRequest, EventList
from tests.support.events import CANARY, Event, fresh_id, printed

MOST = 200
PARAMETERS = {"after", "order_by", "per_page"}
DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # of base 32, in their order


class PaddleList(EventList):
    """Events get their ids as they are listed: ask `events` for them."""

    path = "/events"
    retention = 90 * 86400

    @staticmethod
    def dated(event: Event, created: int, number: int) -> Event:
        event_id = f"evt_{digits(1000 * created, 10)}{digits(number, 16)}"
        document = {**json.loads(event.body), "event_id": event_id, "occurred_at": rfc3339(created)}
        return Event(event_id, event.type, printed(document), event.object, event.customer, event.effect)

    @staticmethod
    def unknown(place: KeyError) -> dict:
        return {"type": "request_error", "code": "not_found", "detail": f"Entity {place} not found"}

    def page(self, parameters: list[tuple[str, str]]) -> dict:
        given = dict(parameters)
        limit, is_ascending = int(given["per_page"]), given["order_by"] == "id[ASC]"
        with self._lock:
            found = list(self._visible())
        if "after" in given:
            place = self._place(given["after"])
            found = [one for one in found if one.position != place and (one.position > place) == is_ascending]
        if not is_ascending:
            found.reverse()
        chosen, has_more = found[:limit], len(found) > limit
        last = chosen[-1].event.id if chosen else given.get("after", "")
        pagination = {"per_page": limit, "next": f"{self.url}/events?after={last}", "has_more": has_more, "estimated_total": len(found)}
        return {"data": [json.loads(one.event.body) for one in chosen], "meta": {"request_id": fresh_id("req"), "pagination": pagination}}

    def _check(self, parameters: list[tuple[str, str]]) -> None:
        given = dict(parameters)
        if unknown := set(given) - PARAMETERS:
            raise BadRequest(f"unknown parameters: {unknown}")
        if not 1 <= int(given.get("per_page", "0")) <= MOST:
            raise BadRequest("per_page")
        if given.get("order_by") not in ("id[ASC]", "id[DESC]"):
            raise BadRequest("order_by")


def digits(number: int, width: int) -> str:
    return "".join(DIGITS[number >> 5 * place & 31] for place in reversed(range(width)))


def rfc3339(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def transaction(customer: str, amount: int) -> Event:
    """transaction.completed: adds `amount` to the customer's wallet. Its id comes with its place in the list."""
    number = fresh_id("txn")
    data = {"id": number, "status": "completed", "customer_id": customer, "currency_code": "EUR", "custom_data": {"note": CANARY},
            "details": {"totals": {"grand_total": str(amount)}}}
    document = {"event_type": "transaction.completed", "notification_id": None, "data": data}
    return Event("", "transaction.completed", printed(document), number, customer, amount)
