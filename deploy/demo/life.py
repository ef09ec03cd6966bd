"""One event's life, from the provider's request to the commit, with the time of each step."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from deploy.demo.installation import Installation
from deploy.demo.report import table
from deploy.demo.traffic import Attempt

WORDS = {"received": "the ingress has the request", "published": "on its way to Kafka",
         "finished": "inbox row and effects committed together"}


def known_to_ctl(installation: Installation, event: str) -> dict:
    """What on-call sees of it. ServerFailed when the inbox does not have it."""
    return json.loads(installation.ctl("event", "show", event, "--json"))["events"][0]


def story(attempt: Attempt, known: dict) -> str:
    """`attempt` is the delivery that was answered 2xx first; `known` is from `known_to_ctl`."""
    steps = [("the provider sends it", attempt.sent_at), (f"the provider is answered {attempt.status}", attempt.answered_at)]
    steps += [(WORDS[step["step"]], step["time"]) for step in known["steps"] if step["step"] in WORDS and step["time"]]
    timed = sorted((datetime.fromisoformat(time).astimezone(UTC), what) for what, time in steps)
    start = timed[0][0]
    rows = [[what, f"{at:%H:%M:%S}.{at.microsecond // 1000:03}", f"{(at - start).total_seconds() * 1000:+.1f} ms"]
            for at, what in timed]
    place = f"partition {known['partition']}, offset {known['offset']}"
    return f"{attempt.id}  {attempt.type}  {known['status']}  {place}\n" + table(["step", "time (UTC)", ""], rows)
