"""Which clicks there are, what merchants have, and what is sent again. Pure."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

FEWEST = 2000  # clicks: from then on the second hot merchant's rate shows
MERCHANTS = 1000
HOT = ("merchant-1", "merchant-2")  # one by the list, one by its rate
SHARE_OF_HOT = 0.2  # of all clicks, for each of the two
SHARE_SENT_AGAIN = 0.1  # half of them at once, half later
POOR_EACH = 50  # small merchants; one of so many has half of what its clicks cost
COVERED_OF_SECOND_HOT = 0.9  # what its clicks cost beyond that is for the deposit


@dataclass(frozen=True, slots=True)
class Click:
    merchant: str
    id: str
    price: int  # minor units

    @property
    def is_hot(self) -> bool:
        return self.merchant in HOT

    @property
    def body(self) -> bytes:
        return json.dumps({"merchant": self.merchant, "click": self.id, "price": self.price}).encode()

    @property
    def key(self) -> str:
        """As sluice-command makes it of the fields: for a look-up."""
        digest = hashlib.sha256()
        for part in (b"text", self.merchant.encode(), b"text", self.id.encode()):
            digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()


@dataclass(frozen=True)
class Plan:
    clicks: list[Click]
    sends: list[int]  # numbers of clicks, in the order in which they are sent; some stand there twice
    balances: dict[str, int]

    @cached_property
    def asked(self) -> Counter[str]:
        """What all clicks of a merchant cost."""
        asked: Counter[str] = Counter()
        for click in self.clicks:
            asked[click.merchant] += click.price
        return asked

    @property
    def rich(self) -> set[str]:
        """Merchants whose balance covers all that is asked."""
        return {merchant for merchant, cost in self.asked.items() if self.balances[merchant] >= cost}


def plan(count: int, seed: int) -> Plan:
    dice = random.Random(seed)
    small = [f"merchant-{number}" for number in range(3, max(20, min(MERCHANTS, count // 20)) + 1)]
    clicks = [Click(_merchant(dice, small), f"click-{number}", dice.randint(1, 100)) for number in range(count)]
    drawn = Plan(clicks, _sends(count, dice), {})
    return Plan(clicks, drawn.sends, {merchant: _balance(merchant, drawn.asked[merchant]) for merchant in (*HOT, *small)})


def _merchant(dice: random.Random, small: list[str]) -> str:
    chance = dice.random()
    return HOT[int(chance / SHARE_OF_HOT)] if chance < 2 * SHARE_OF_HOT else dice.choice(small)


def _balance(merchant: str, asked: int) -> int:
    if merchant == HOT[1]:
        return int(asked * COVERED_OF_SECOND_HOT)
    return asked // 2 if int(merchant.rpartition("-")[2]) % POOR_EACH == POOR_EACH // 5 else asked + 1000


def _sends(count: int, dice: random.Random) -> list[int]:
    """Each click at its place; what is sent again stands right behind it, or further back."""
    places = [(float(number), number) for number in range(count)]
    for number in dice.sample(range(count), int(count * SHARE_SENT_AGAIN)):
        at = number + 0.5 if dice.random() < 0.5 else dice.uniform(number, count)
        places.append((at, number))
    return [number for _, number in sorted(places)]
