"""What goes wrong, and what both clients have to make of it: one row each."""

from __future__ import annotations

from dataclasses import dataclass, field

import failures as f
from failing_server import Step, answers, own, problem, raw, standing

LOCATION = "/v1/commands/charge/k1"
SHORT = {"attempt": 1000}  # milliseconds: of servers that do not answer
BUSY = answers(problem("503 Service Unavailable", "busy", Retry_After=1))
IN_PROGRESS = answers(problem("409 Conflict", "in_progress", Retry_After=2, Location=LOCATION))
UNAVAILABLE = answers(problem("503 Service Unavailable", "unavailable", Retry_After=1, Location=LOCATION))
FAILED = answers(problem("500 Internal Server Error", "failed"))
LIMITED = answers(problem("429 Too Many Requests", "over_limit", Retry_After=3))
GOES_ON = answers(raw("202 Accepted", b'{"state":"in_progress"}', Location=LOCATION))
STILL, GONE, LOST = answers(standing("in_progress")), answers(standing("absent")), answers(standing("failed"))
NOT_AUTHENTICATED = answers(problem("401 Unauthorized", "not_authenticated"))
KEY_REUSED = answers(problem("422 Unprocessable Content", "key_reused"))
NOT_EXECUTED = answers(problem("503 Service Unavailable", "not_executed", Retry_After=1))
NOT_KNOWN = answers(problem("502 Bad Gateway", "not_known", Location=LOCATION))
PROBLEM = b'{"type":"urn:sluice:problem:key_reused"}'
REFUSED_LATER = answers(standing("done", b"{}", status=409))
OF_A_PROXY = answers(raw("404 Not Found", b"<h1>Not Found</h1>", "text/html"))
OF_A_GATEWAY = answers(raw("403 Forbidden", b'{"message":"Forbidden"}'))
ACCEPTED = answers(raw("200 OK", b'{"charged":5}', Location=LOCATION))
NOBODY_KNOWS = answers(standing("failed", retryable=False, why="no query"))
DONE = answers(standing("done", b'{"charged":5}'))
DEEP = answers(raw("400 Bad Request", b"[" * 60_000, "application/problem+json"))


@dataclass(frozen=True)
class Scenario:
    name: str
    script: tuple[Step, ...] = ()
    outcome: str = "done"
    status: int = 200           # of a response
    replayed: bool = False
    executions: int = 1
    tries: int = 1              # requests that the server saw
    problem: str | None = None  # of what is refused or unknown
    waits: int = 0              # milliseconds, at least; of the fake clock
    refused_connections: int = 0
    limits: dict[str, int] = field(default_factory=dict)


def refused(status: str, name: str) -> Scenario:
    return Scenario(f"{status} {name}", (answers(problem(status, name)),), "refused", problem=name, executions=0)


def after_no_answer(name: str, step: Step, *, replayed: bool = True, **limits: int) -> Scenario:
    return Scenario(name, (step,), replayed=replayed, tries=2, limits=limits)


SCENARIOS = (
    Scenario("works"),
    Scenario("is closed before it reads", refused_connections=2),
    after_no_answer("drops what it has read", f.drops_unexecuted, replayed=False),
    after_no_answer("drops what it has executed", f.drops_executed),
    after_no_answer("sends half of the head", f.half(0.3)),
    after_no_answer("sends half of the body", f.half(0.95)),
    after_no_answer("sends no HTTP", f.garbage),
    after_no_answer("sends its head byte by byte", f.drips_head, **SHORT),
    after_no_answer("sends its body byte by byte", f.drips_body, **SHORT),
    after_no_answer("answers too late", f.says_nothing, **SHORT),
    after_no_answer("sends a body without an end", f.endless),
    after_no_answer("sends a body that is too large", f.too_large),
    after_no_answer("does not say how long its body is", f.says_no_length),
    after_no_answer("ends where its body would begin", f.says_no_length_of_nothing),
    after_no_answer("sends another content type", answers(own("200 OK", b"<h1>Welcome</h1>", "text/html")), replayed=False),
    after_no_answer("sends no content type", answers(own("200 OK", b"{}", "")), replayed=False),
    after_no_answer("sends JSON that is too deep", DEEP, replayed=False),
    after_no_answer("sends us elsewhere", answers(raw("307 Temporary Redirect", Location="http://127.0.0.1:1/")), replayed=False),
    after_no_answer("is behind a proxy that knows it not", OF_A_PROXY, replayed=False),
    after_no_answer("is behind a proxy that lost it", answers(raw("502 Bad Gateway", b"<h1>Bad Gateway</h1>", "text/html")), replayed=False),
    *(after_no_answer(f"is behind a gateway that says {status} in JSON", answers(raw(status, b"{}")), replayed=False)
      for status in ("200 OK", "202 Accepted", "403 Forbidden", "404 Not Found", "409 Conflict")),
    after_no_answer("is behind a gateway that says nothing", answers(raw("204 No Content", content_type="")), replayed=False),
    after_no_answer("has another service's problem for its response", answers(own("422 X", PROBLEM, "application/problem+json")), replayed=False),
    Scenario("is behind a gateway that forbids it once it was executed", (f.drops_executed, OF_A_GATEWAY), replayed=True, tries=3),
    Scenario("is behind a gateway that forbids it for good", (f.drops_executed,) + (OF_A_GATEWAY,) * 30, "unknown", tries=5, limits={"deadline": 1000}),
    Scenario("is in progress for another", (IN_PROGRESS,) * 3, tries=4, waits=6000),
    Scenario("is busy", (BUSY,) * 3, tries=4, waits=3000),
    Scenario("is busy and says not until when", (answers(problem("503 Service Unavailable", "busy")),) * 3, tries=4, waits=3 * 25),
    Scenario("has too many connections", (answers(raw("503 Service Unavailable", content_type="")),) * 2, tries=3),
    Scenario("is unavailable", (UNAVAILABLE,) * 2, tries=3, waits=2000),
    Scenario("fails at first", (FAILED,) * 4, tries=5),
    Scenario("limits the account", (LIMITED,) * 2, tries=3, waits=6000),
    Scenario("limits the account without a word", (answers(raw("429 Too Many Requests", content_type="")),) * 2, tries=3),
    *(Scenario(f"says {status} with a mark", (answers(own(status)),), tries=2) for status in ("408 X", "425 Too Early", "429 X", "502 X")),
    Scenario("forwards it, and nothing was done", (NOT_EXECUTED,) * 2, tries=3, waits=2000),
    Scenario("forwards it, and nobody knows", (NOT_KNOWN,) * 30, "unknown", problem="not_known", executions=0),
    Scenario("says a date until when", (answers(problem("503 Service Unavailable", "busy", Retry_After="Sat, 28 Nov 2026 20:00:00 GMT")),), tries=2),
    Scenario("goes on, then it is done", (GOES_ON, STILL, STILL, DONE), replayed=True, executions=0, tries=4),
    Scenario("goes on, and was undone", (GOES_ON, STILL, GONE), tries=4),
    Scenario("goes on, and failed", (GOES_ON, LOST), tries=3),
    Scenario("goes on, and failed so that it may be tried again", (GOES_ON, answers(standing("failed", retryable=True, why="busy"))), tries=3),
    Scenario("goes on, and nobody knows", (GOES_ON, STILL) + (NOBODY_KNOWS,) * 30, "unknown", problem="not_known", executions=0, tries=3),
    Scenario("goes on, and the look-up has no content", (GOES_ON, answers(own("204 No Content", b"", "")), DONE), replayed=True, executions=0, tries=3),
    Scenario("goes on, and the look-up is forbidden by a gateway", (GOES_ON, OF_A_GATEWAY, DONE), replayed=True, executions=0, tries=3),
    Scenario("accepts it, then it is done", (ACCEPTED, STILL, DONE), replayed=True, executions=0, tries=3),
    Scenario("accepts it, then it was refused", (ACCEPTED, REFUSED_LATER), status=409, replayed=True, executions=0, tries=2),
    Scenario("accepts it, and does not book it", (ACCEPTED,) + (STILL,) * 30, "unknown", executions=0, tries=5, limits={"deadline": 1000}),
    Scenario("goes on, and the look-up is lost", (GOES_ON, f.drops_unexecuted, BUSY, answers(standing("done", b"{}"))), replayed=True, executions=0, tries=4),
    Scenario("goes on, and the look-up is no answer", (GOES_ON, answers(raw("200 OK", b"[]")), answers(standing("done", b"{}"))), replayed=True, executions=0, tries=3),
    Scenario("goes on, and we may not ask", (GOES_ON, NOT_AUTHENTICATED), "unknown", problem="not_authenticated", executions=0, tries=2),
    Scenario("goes on elsewhere", (answers(raw("202 Accepted", Location="http://elsewhere/")),), tries=2),
    Scenario("has 202 for its response", (answers(own("202 Accepted")),), status=202, executions=0),
    Scenario("has no body for its response", (answers(own("204 No Content", b"", "")),), status=204, executions=0),
    Scenario("has 404 for its response", (answers(own("404 Not Found")),), status=404, executions=0),
    Scenario("has 409 for its response", (answers(own("409 Conflict", b"{}", "Application/JSON; charset=utf-8")),), status=409, executions=0),
    refused("400 Bad Request", "refused"), refused("401 Unauthorized", "not_authenticated"), refused("404 Not Found", "unknown_command"),
    refused("413 Content Too Large", "body_too_large"), refused("415 Unsupported Media Type", "unsupported_media_type"),
    refused("422 Unprocessable Content", "key_reused"),
    Scenario("refuses what it may have executed", (f.drops_executed, NOT_AUTHENTICATED), "unknown", problem="not_authenticated", tries=2),
    Scenario("refuses after it was in progress", (IN_PROGRESS, NOT_AUTHENTICATED), "unknown", problem="not_authenticated", executions=0, tries=2),
    Scenario("has the key for another body, it says, after an attempt", (f.drops_executed, KEY_REUSED), "unknown", problem="key_reused", tries=2),
    Scenario("has other parameters now", (f.drops_executed, answers(problem("400 Bad Request", "refused"))), "unknown", problem="refused", tries=2),
    Scenario("refuses what it was too busy for", (BUSY, LIMITED, NOT_AUTHENTICATED), "refused", problem="not_authenticated", executions=0, tries=3),
    Scenario("never has time", (BUSY,) * 30, "unknown", problem="busy", executions=0, tries=8, limits={"deadline": 12_000}),
    Scenario("never answers", (f.says_nothing,) * 30, "unknown", tries=5, limits={"deadline": 1000, "attempt": 1000}),
    Scenario("wants us to come after the deadline", (answers(problem("503 Service Unavailable", "busy", Retry_After=3600)),), "unknown", problem="busy", executions=0))
