"""How Stripe and Adyen say what the plan has: ids and bodies. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from deploy.examples.marketplace.plan import Event, Seller

MERCHANT = "MarketEast"
# What each takes for success: with anything else it would send the delivery again.
SUCCESS = {"stripe-north": (200, ""), "stripe-north-2": (200, ""), "stripe-south": (200, ""), "adyen-east": (200, "[accepted]")}
SIGNATURE = b'"hmacSignature": "'


def said(seller: Seller, events: Sequence[Event], at: int) -> tuple[list[str], dict]:
    """The ids of the events, and the body with all of them."""
    if seller.name != "east":
        [event] = events
        body = _event(event, seller.currency, at)
        return [body["id"]], body
    items = [_item(event, seller.currency) for event in events]
    return ([f"{item['pspReference']}.{item['eventCode']}.true" for item in items],
            {"live": "false", "notificationItems": [{"NotificationRequestItem": item} for item in items]})


def with_broken_item(request: bytes) -> bytes:
    """The last item's signature with another first letter."""
    place = request.rindex(SIGNATURE) + len(SIGNATURE)
    return request[:place] + (b"B" if request[place:place + 1] == b"A" else b"A") + request[place + 1:]


def _event(event: Event, currency: str, at: int) -> dict:
    kind, place = _object(event)
    return {"id": f"evt_{event.entry.number}{'_again' if event.again else ''}", "object": "event", "created": at, "livemode": False,
            "type": kind, "data": {"object": {**place, "currency": currency.lower()}}}


def _object(event: Event) -> tuple[str, dict]:
    entry, amount = event.entry, abs(event.entry.amount)
    match entry.kind, event.again:
        case "sale", False:
            return "payment_intent.succeeded", {"id": entry.payment, "amount_received": amount}
        case "sale", True:
            return "checkout.session.completed", {"id": f"cs_{entry.number}", "payment_intent": entry.payment, "payment_status": "paid",
                                                  "amount_total": amount}
        case "refund", again:
            return f"refund.{'updated' if again else 'created'}", {"id": entry.number, "payment_intent": entry.payment, "amount": amount,
                                                                   "status": "succeeded"}
        case _:
            return "payout.paid", {"id": entry.number, "amount": amount}


def _item(event: Event, currency: str) -> dict:
    """With automatic capture an authorisation is the payment; a capture tells of it again."""
    entry = event.entry
    code = "REFUND" if entry.kind == "refund" else "CAPTURE" if event.again else "AUTHORISATION"
    own = f"{entry.number}-capture" if event.again else entry.number
    return {"pspReference": own, "eventCode": code, "success": "true", "merchantAccountCode": MERCHANT,
            "merchantReference": f"order-{entry.payment}", "amount": {"value": abs(entry.amount), "currency": currency},
            "additionalData": {}, **({} if own == entry.payment else {"originalReference": entry.payment})}
