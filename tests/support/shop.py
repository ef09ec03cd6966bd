"""A shop whose orders are paid through four providers: its table, and what each provider sends when an order was paid."""

from __future__ import annotations

from tests.support.events import fresh_id
from tests.support.every_source import add_every_source, signing_options
from tests.support.pipeline import Pipeline
from tests.support.program import Program

ORDERS = ("CREATE TABLE shop_order (no VARCHAR(64) PRIMARY KEY, status VARCHAR(16) NOT NULL DEFAULT 'PENDING', amount BIGINT NOT NULL,"
          " currency CHAR(3) NOT NULL DEFAULT 'CNY', paid_by VARCHAR(64), source VARCHAR(16), paid_at DATETIME(6))")

# Each provider's own way to say that this order was paid: the type, where the order number stands, how 88.88 are written.
SAYS = {"alipay": ("trade_status_sync.TRADE_SUCCESS", "/out_trade_no", "/total_amount=88.88"),
        "wechat-pay": ("TRANSACTION.SUCCESS", "/resource/plain/out_trade_no", "/resource/plain/amount/total=8888"),
        "unionpay": ("01.01", "/orderId", "/txnAmt=8888"),
        "stripe": ("payment_intent.succeeded", "/data/object/metadata/order_id", "/data/object/amount_received=8888")}


def open_shop(pipeline: Pipeline, *effects: dict) -> None:
    add_every_source(pipeline)
    pipeline.log.create(f"{pipeline.topic}.originals", partitions=3)
    pipeline.config["effects"] = list(effects)
    pipeline.ledger.run(ORDERS)


def new_order(shop: Pipeline, amount: int = 8888, currency: str = "CNY") -> str:
    order = fresh_id("O").translate(str.maketrans("0123456789_", "ghijklmnop-"))  # no digits: a list masks what may be a card's number
    shop.ledger.run(f"INSERT INTO shop_order (no, amount, currency) VALUES ('{order}', {amount}, '{currency}')")
    return order


def pay(shop: Pipeline, ingress: Program, source: str, order: str, *sets: str, kind: str | None = None, options: tuple[str, ...] = ()) -> None:
    usual, place, amount = SAYS[source]
    words = [word for one in (f"{place}={order}", *(sets or (amount,))) for word in ("--set", one)]
    result = shop.ctl("send", "--source", source, "--url", f"http://127.0.0.1:{ingress.port}", "--quiet", "--json",
                      "--type", kind or usual, *words, *options, *signing_options(source))
    assert result.returncode == 0, result.stdout + result.stderr


def order_of(shop: Pipeline, order: str) -> tuple:
    [row] = shop.ledger.query("SELECT status, source, paid_by IS NOT NULL FROM shop_order WHERE no = %s", order)
    return tuple(each.decode() if isinstance(each, bytes) else each for each in row)
