"""How each provider says what the plan has: the type, the places of order number, payment number and amount. Pure."""

from __future__ import annotations

from deploy.examples.orders.plan import Payment

SIGNED_WITH = {"alipay": ["--signing-key", "secrets/alipay.key.pem"], "wechat-pay": ["--signing-key", "secrets/wechat.key.pem"],
               "unionpay": ["--signing-key", "secrets/unionpay.key.pem", "--certificate", "secrets/unionpay.pem"], "stripe": []}
# What each provider takes for success, word for word: with anything else it would send the callback again.
SUCCESS = {"alipay": (200, "success"), "wechat-pay": (200, ""), "unionpay": (200, ""), "stripe": (200, "")}
# Where a second event can tell of one payment; UnionPay's events are known by the payment's own number.
TELLS_AGAIN = {"alipay", "wechat-pay", "stripe"}


def options(payment: Payment) -> list[str]:
    """For `sluicectl send`."""
    kind, places = _said(payment)
    return ["--type", kind, *SIGNED_WITH[payment.source], *(word for place in places for word in ("--set", place))]


def _said(one: Payment) -> tuple[str, list[str]]:
    plain = "/resource/plain"
    match one.source, one.kind:
        case "alipay", kind:
            status = ["/trade_status=TRADE_CLOSED"] if kind == "closed" else []
            return "trade_status_sync.TRADE_SUCCESS", [f"/out_trade_no={one.order}", f"/trade_no={one.number}",
                                                       f"/total_amount={one.amount // 100}.{one.amount % 100:02}", *status]
        case "wechat-pay", "refunded":
            return "REFUND.SUCCESS", [f"{plain}/out_trade_no={one.order}", f"{plain}/transaction_id={one.number}",
                                      f"{plain}/out_refund_no=refund-{one.order}", f"{plain}/amount/refund={one.amount}"]
        case "wechat-pay", _:
            return "TRANSACTION.SUCCESS", [f"{plain}/out_trade_no={one.order}", f"{plain}/transaction_id={one.number}",
                                           f"{plain}/amount/total={one.amount}"]
        case "unionpay", _:
            return "01.01", [f"/orderId={one.order}", f"/queryId={one.number}", f"/txnAmt={one.amount}"]
        case _:
            return "payment_intent.succeeded", [f"/data/object/metadata/order_id={one.order}", f"/data/object/id={one.number}",
                                                f"/data/object/amount_received={one.amount}",
                                                f"/data/object/currency={one.currency.lower()}"]
