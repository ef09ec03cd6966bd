"""Stripe's list of thin events: GET /v2/core/events (docs.stripe.com/api/v2/core/events/list).

No order is promised, so a page has none. The next page is known by the URL that the answer names, whose token expires.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from deploy.examples.polling.listed import MOST, MOST_TYPES, BadRequest, Listed, Parameters
from tests.support.event_list import EventList
from tests.support.events import Event, printed

FIRST = {"limit", "created[gte]", "created[lt]", *(f"types[{number}]" for number in range(MOST_TYPES))}


class ThinList(EventList):
    path = "/v2/core/events"

    def __post_init__(self) -> None:
        self._pages: dict[str, tuple[Parameters, int]] = {}  # by token: what was asked first, and how many events were on pages before
        super().__post_init__()

    @staticmethod
    def dated(event: Event, created: int, _number: int) -> Event:
        return event.with_body(printed({**json.loads(event.body), "created": rfc3339(created)}))

    @staticmethod
    def unknown(token: KeyError) -> dict:
        return {"type": "invalid_request_error", "code": "invalid_page", "message": f"No such page: {token}"}

    def expire(self) -> None:
        """No token that was given is taken any more."""
        self._pages.clear()

    def filled_in(self, event: Event, **data: object) -> None:
        """What the list says of an event, and its webhook does not."""
        self.spoil(event, data=data)

    def page(self, parameters: Parameters) -> dict:
        asked, begin = self._pages[dict(parameters)["page"]] if "page" in dict(parameters) else (parameters, 0)
        given, types = dict(asked), [value for name, value in asked if name.startswith("types[")]
        with self._lock:
            found = [one for one in self._visible() if self._is_asked(one, given) and (not types or one.event.type in types)]
        found.reverse()
        end = begin + min(int(given["limit"]), self.most)
        chosen = found[begin:end]
        url = None
        if len(found) > end:
            token = f"page_{len(self._pages)}+/="
            self._pages[token] = asked, end
            url = f"{self.path}?page={token.replace('+', '%2B').replace('/', '%2F').replace('=', '%3D')}"
        half = len(chosen) // 2
        data = [json.loads(one.event.body) for one in (*chosen[half:], *chosen[:half])]
        return {"data": data, "next_page_url": url, "previous_page_url": None}

    @staticmethod
    def _is_asked(one: Listed, given: dict[str, str]) -> bool:
        return (one.created >= seconds_of(given["created[gte]"])
                and ("created[lt]" not in given or one.created < seconds_of(given["created[lt]"])))

    def _check(self, parameters: Parameters) -> None:
        given = dict(parameters)
        if "page" in given:
            if set(given) != {"page"}:
                raise BadRequest("filters beside a page")
            return
        if unknown := set(given) - FIRST:
            raise BadRequest(f"unknown parameters: {unknown}")
        if not 1 <= int(given["limit"]) <= MOST:
            raise BadRequest("limit")

    def _answer_one(self, wanted: str) -> tuple[int, dict]:
        with self._lock:
            found = [json.loads(one.event.body) for one in self._visible() if one.event.id == wanted]
        return (200, found[0]) if found else (404, {"error": {"code": "not_found"}})

    def _answer(self, path: str, parameters: Parameters, headers: dict[str, str]) -> tuple[int, dict]:
        if "stripe-version" not in headers:
            self.refused.append("no Stripe-Version")
        if path.startswith(f"{self.path}/"):
            return self._answer_one(path.rpartition("/")[2])
        return super()._answer(path, parameters, headers)


def rfc3339(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def seconds_of(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
