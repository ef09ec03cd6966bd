"""What customers do: a number of orders, the fate of each, and what their providers will tell of it. Pure."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

SOURCES = ("alipay", "wechat-pay", "unionpay", "stripe")
FATES = ("paid", "twice", "paid", "refunded", "wrong-amount", "paid", "late", "paid", "closed", "twice", "never", "paid")
ENDS_PAID = {"paid", "twice", "refunded", "late", "rush"}
FEWEST = 1 + len(FATES)
RUSH_EVENTS, RUSH_COPIES = 8, 4  # of each of two channels: 64 callbacks


@dataclass(frozen=True)
class Payment:
    """What one channel tells: `kind` is paid, closed, refunded or, what was never paid, forged."""

    order: str
    source: str
    kind: str
    number: str
    amount: int
    currency: str


@dataclass(frozen=True)
class Order:
    """`amount` is in minor units."""

    no: str
    fate: str
    amount: int
    currency: str
    payments: tuple[Payment, ...]

    @property
    def status(self) -> str:
        """When all is over."""
        return "PAID" if self.fate in ENDS_PAID else "CLOSED" if self.fate == "closed" else "PENDING"

    @property
    def numbers(self) -> set[str]:
        """Of the payments that may have paid it."""
        return {one.number for one in self.payments if one.kind == "paid"} if self.status == "PAID" else set()

    @property
    def case(self) -> str | None:
        return {"twice": "paid_twice", "rush": "paid_twice", "wrong-amount": "amount_mismatch"}.get(self.fate)


def plan(count: int, seed: int) -> list[Order]:
    """At least FEWEST; the first is the one with 64 callbacks at once."""
    dice = random.Random(seed)
    return [_order(number, "rush" if number == 0 else FATES[(number - 1) % len(FATES)], dice) for number in range(count)]


def _order(number: int, fate: str, dice: random.Random) -> Order:
    """Each source has its turn, however few orders there are."""
    no, turn = f"order-{number:04}", SOURCES[(number + number // len(FATES)) % len(SOURCES)]
    sources = {"rush": ["alipay", "wechat-pay"], "refunded": ["wechat-pay"], "closed": ["alipay"]}.get(fate) or (
        dice.sample(SOURCES, 2) if fate == "twice" else [turn])
    amount = dice.randrange(100, 100_000)
    currency = "USD" if sources == ["stripe"] else "CNY"
    told = amount - 1 if fate == "wrong-amount" else amount
    kind = {"closed": "closed", "never": "forged"}.get(fate, "paid")
    payments = [Payment(no, source, kind, f"{source}-{no}", told, currency) for source in sources]
    if fate == "refunded":
        payments.append(Payment(no, sources[0], "refunded", payments[0].number, amount // 2, currency))
    return Order(no, fate, amount, currency, tuple(payments))


def sums(amounts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """By currency."""
    total: Counter[str] = Counter()
    for currency, amount in amounts:
        total[currency] += amount
    return dict(total)
