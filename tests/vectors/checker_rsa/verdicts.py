"""Every checker by the name of its recipe, and its word on one vector."""

from __future__ import annotations

from collections.abc import Callable

from . import adyen, alipay, braintree, paypal, unionpay, wechat_pay
from .message import Message
from .verdict import Accepted, Refused

CHECKERS: dict[str, Callable[[Message, dict], Accepted]] = {
    "adyen": adyen.judge,
    "alipay": alipay.judge,
    "wechat-pay": wechat_pay.judge,
    "braintree": braintree.judge,
    "paypal": paypal.judge,
    "unionpay": unionpay.judge,
}


def verdict(recipe: str, vector: dict, source: dict) -> dict:
    try:
        said = CHECKERS[recipe](Message.of(vector), source)
    except Refused as refusal:
        return {"accepted": False, "check": refusal.check}
    return {"accepted": True, "key": said.key, "events": said.events}
