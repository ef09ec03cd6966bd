"""What an input costs the ingress against what it cost its sender, both in CPU time. The sender is as thrifty as one can be: it
has the bytes ready, signed or not, and only sends them."""

from __future__ import annotations

import base64
import json
import secrets
import statistics
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ed25519

from tests.bench import hostile
from tests.bench.arena import Arena
from tests.bench.building import tool
from tests.bench.cells import GRACE, Untrue, forget_markers
from tests.bench.hostile import LIMIT, authentic, event, forged, wrong_ed25519
from tests.bench.ingress_rounds import Say
from tests.bench.targets import OURS, Target

PARTITIONS = 12
KEYS = 16  # the most that a source may have
CANDIDATES = 8  # the most that a header may have
BAR = 100.0
LONGEST = 1.5  # seconds of one measurement
MANY, CHUNKED, CURVE, CURVES = "many-keys", "chunked", "curve-key", "many-curve-keys"  # sources
UNDER = LIMIT - 1


@dataclass(frozen=True)
class Probe:
    """`make` gives the bytes of one delivery, which draw `answers`; 0: the sender leaves. `piece`: bytes in each write."""

    name: str
    make: Callable[[], bytes]
    answers: int = 1
    piece: int = 0


def path_of(source: str) -> str:
    return f"/v1/webhooks/{source}"


PROBES = (
    Probe("an honest duplicate, 2 KB", lambda: authentic(event(filler="a" * 1800))),
    Probe("connected and gone", lambda: b"", answers=0),
    Probe("unknown path", hostile.unknown_path),
    Probe("bad head", hostile.bad_head),
    Probe("head above 16 KiB", hostile.long_head),
    Probe("65 header fields", lambda: hostile.many_fields(65)),
    Probe("64 header fields, forged", lambda: hostile.many_fields(64)),
    Probe("target of 4 KiB", hostile.long_target),
    Probe("length above the limit", hostile.too_large),
    Probe("512 KiB announced, none sent, gone", hostile.announced_only, answers=0),
    Probe("512 KiB announced, half sent, gone", lambda: hostile.announced_only(LIMIT // 2), answers=0),
    Probe("forged, one byte in each write", lambda: forged(b"{}" * 32), piece=1),
    Probe("chunks of one byte, 2 KB", lambda: hostile.one_byte_chunks(event(filler="a" * 1800), path_of(CHUNKED))),
    Probe("forged, 2 KB", lambda: forged(b"a" * 2048)),
    Probe("forged, 2 KB, 8 candidates, 16 keys", lambda: forged(b"a" * 2048, CANDIDATES, path_of(MANY))),
    Probe("forged, 512 KiB", lambda: forged(b"a" * UNDER)),
    Probe("forged, 512 KiB, 8 candidates, 16 keys", lambda: forged(b"a" * UNDER, CANDIDATES, path_of(MANY))),
    Probe("forged Ed25519, 1 key", lambda: wrong_ed25519(path_of(CURVE), 1)),
    Probe("forged Ed25519, 16 keys", lambda: wrong_ed25519(path_of(CURVES), 1)),
    Probe("forged Ed25519, 8 candidates, 16 keys", lambda: wrong_ed25519(path_of(CURVES), CANDIDATES)),
    Probe("16 forged Ed25519 in one write, 1 key", lambda: wrong_ed25519(path_of(CURVE), 1) * 16, answers=16),
    Probe("16 forged Ed25519 in one write, 8 candidates, 1 key", lambda: wrong_ed25519(path_of(CURVE), CANDIDATES) * 16, answers=16),
    Probe("32 forged in one write", lambda: forged(b"{}") * 32, answers=32),
    Probe("32 forged in one write, 8 candidates, 16 keys", lambda: forged(b"{}", CANDIDATES, path_of(MANY)) * 32, answers=32),
    Probe("32 duplicates in one write", lambda: authentic(event()) * 32, answers=32),
    Probe("authentic, 512 KiB, nested 64 deep", lambda: authentic(hostile.nested(60, UNDER))),
    Probe("authentic, 512 KiB of [", lambda: authentic(hostile.brackets(UNDER))),
    Probe("authentic, a number of 512 KiB", lambda: authentic(hostile.huge_numbers(UNDER))),
    Probe("authentic, 512 KiB of numbers", lambda: authentic(hostile.many_numbers(UNDER))),
    Probe("authentic, 512 KiB of members", lambda: authentic(hostile.many_members(UNDER))),
    Probe("authentic, 512 KiB of one member again", lambda: authentic(hostile.repeated_id(UNDER))),
)


def run(arena: Arena, rounds: int, seconds: float, say: Say) -> dict:
    """Every probe once per round; every second round goes backwards."""
    target = started(arena)
    samples: dict[str, list[dict]] = {probe.name: [] for probe in PROBES}
    for number in range(rounds):
        forget_markers(arena.redis)
        for probe in PROBES[::-1] if number % 2 else PROBES:
            found = send(arena, target, probe, min(seconds, LONGEST))
            samples[probe.name].append(found)
            say(f"  {number + 1}/{rounds}  {probe.name:52} {found['server_us'] / found['sent']:9.1f} us  "
                f"sender {found['sender_us'] / found['sent']:8.1f} us  {found['answers']}")
    rows = [row(name, found) for name, found in samples.items()]
    return {"rounds": rounds, "bar": BAR, "rows": sorted(rows, key=lambda one: -one["ratio"])}


def started(arena: Arena) -> Target:
    folder = arena.folder / "targets"
    folder.mkdir(parents=True, exist_ok=True)
    target = Target(OURS, PARTITIONS, folder, more_sources=[
        {"name": CHUNKED, "principal": CHUNKED, "recipe": "stripe", "chunked": True, "keys": [{"id": "bench", "value": {"env": "BENCH_SECRET"}}]},
        {"name": MANY, "principal": MANY, "recipe": "stripe", "keys": keys(folder, "shared", lambda: f"whsec_{secrets.token_hex(24)}")},
        {"name": CURVE, "principal": CURVE, "recipe": "standard-webhooks", "keys": keys(folder, "curve", public_key)[:1]},
        {"name": CURVES, "principal": CURVES, "recipe": "standard-webhooks", "keys": keys(folder, "curves", public_key)}])
    target.make_topics(arena.log)
    arena.targets.append(target)
    return target.start(arena.kafka, arena.redis)


def keys(folder: Path, name: str, make: Callable[[], str]) -> list[dict]:
    files = [folder / f"{name}-{number}" for number in range(KEYS)]
    for file in files:
        file.write_text(make())
    return [{"id": file.name, "value": {"file": str(file)}} for file in files]


def public_key() -> str:
    point = ed25519.Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    return f"whpk_{base64.b64encode(point).decode()}"


def send(arena: Arena, target: Target, probe: Probe, seconds: float) -> dict:
    file = arena.folder / "probe"
    file.write_bytes(probe.make())
    command = [str(tool("probe")), "--port", str(target.port), "--request", str(file), "--answers", str(probe.answers),
               "--piece", str(probe.piece), "--seconds", str(seconds), "--process", str(target.pid)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=seconds + GRACE)
    if done.returncode != 0:
        raise Untrue(f"{probe.name}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def row(name: str, samples: list[dict]) -> dict:
    """Microseconds of one delivery; ratios by round, then the median."""
    ratios = [one["server_us"] / one["sender_us"] for one in samples]
    server = statistics.median(one["server_us"] / one["sent"] for one in samples)
    size = samples[0]["bytes"]
    answers = sum((Counter(one["answers"]) for one in samples), Counter())
    return {"probe": name, "bytes": size, "sent": sum(one["sent"] for one in samples), "answers": dict(answers),
            "connects": sum(one["connects"] for one in samples), "server_us": server,
            "sender_us": statistics.median(one["sender_us"] / one["sent"] for one in samples),
            "ns_per_byte": server * 1000 / size if size else None,
            "ratio": statistics.median(ratios), "ratio_low": min(ratios), "ratio_high": max(ratios)}
