"""Events of a list, and what may be asked of it, as Stripe has it (docs.stripe.com/api/events/list). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

MOST = 100  # of one page
MOST_TYPES = 20
PARAMETERS = {"limit", "starting_after", "ending_before", "type", "types[]", "delivery_success",
              "created[gt]", "created[gte]", "created[lt]", "created[lte]"}
BOUNDS = {"created[gt]": int.__gt__, "created[gte]": int.__ge__, "created[lt]": int.__lt__, "created[lte]": int.__le__}

Parameters = list[tuple[str, str]]


class Event(Protocol):
    """Its body is what the provider says of it; a frozen dataclass."""

    @property
    def id(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def body(self) -> bytes: ...


@dataclass(frozen=True)
class Listed:
    event: Event
    created: int
    number: int  # of two that were created in one second, the later one stands before the other
    visible_at: float
    is_delivered: bool = True

    @property
    def position(self) -> tuple[int, int]:
        return self.created, self.number


class BadRequest(ValueError):
    """What a provider would refuse, and no honest client asks."""


def fits(one: Listed, asked: Parameters) -> bool:
    given, types = dict(asked), [value for name, value in asked if name == "types[]"]
    return (all(holds(one.created, int(given[name])) for name, holds in BOUNDS.items() if name in given)
            and (not types or one.event.type in types)
            and ("delivery_success" not in given or one.is_delivered == (given["delivery_success"] == "true")))


def check(asked: Parameters) -> None:
    names, given = [name for name, _ in asked], dict(asked)
    if unknown := set(names) - PARAMETERS:
        raise BadRequest(f"unknown parameters: {unknown}")
    if not 1 <= int(given.get("limit", "10")) <= MOST:
        raise BadRequest(f"limit is {given['limit']}")
    if "starting_after" in given and "ending_before" in given:
        raise BadRequest("both cursors")
    if names.count("types[]") > MOST_TYPES or ("types[]" in names and "type" in names):
        raise BadRequest("types")
