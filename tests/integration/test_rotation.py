"""Keys are rotated while traffic comes: by file and by signal, with windows and without. Nobody genuine is refused.

100 rotations; SLUICE_ROTATIONS sets another number (1000 are about two minutes on two cores).
"""

from __future__ import annotations

import hashlib
import http.client
import os
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.events import payment
from tests.support.pipeline import PATH, Pipeline
from tests.support.program import Program
from tests.support.provider import signature_header
from tests.support.wait import wait_for

ROTATIONS = int(os.environ.get("SLUICE_ROTATIONS", "100"))
SENDERS = 2
EVERY = 0.005       # seconds between two events of a sender: reloads have the rest of the machine
UNSIGNALLED = 41    # one in so many is left to be noticed, which takes up to a second
PROBED = 7          # one in so many is asked for the keys that must not count
MARK = "whsec_rotated"
EARLIER, LATER = "2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"


def fresh_secret() -> str:
    return MARK + secrets.token_hex(16)


@dataclass(frozen=True)
class Key:
    id: str
    secret: str
    file: Path

    def entry(self, **window: str) -> dict:
        return {"id": self.id, "value": {"file": str(self.file)}, **window}

    def with_other_secret(self) -> Key:
        return Key(self.id, fresh_secret(), self.file).put()

    def put(self) -> Key:
        """The whole file at once, as Kubernetes does."""
        draft = self.file.with_suffix(".new")
        draft.write_text(self.secret + "\n")
        draft.rename(self.file)
        return self


class Ring:
    """The keys of one source: makes new ones, tells the ingress, and knows when it has been understood."""

    def __init__(self, pipeline: Pipeline, ingress: Program) -> None:
        self.folder, self.ingress = pipeline.folder, ingress
        self._log = ingress.out.open("rb")
        self._made = 0
        self._tail = b""

    def new(self) -> Key:
        self._made += 1
        name = f"k{self._made}"
        return Key(name, fresh_secret(), self.folder / f"{name}.secret").put()

    def tell(self, entries: list[dict], *, by_signal: bool) -> None:
        """Returns when the ingress has said that this very content is in use."""
        self.ingress.config["sources"][0]["keys"] = entries
        self.ingress.write_config()
        if by_signal:
            self.ingress.reload()
        wanted = f'"content":"{self._fingerprint()}"'.encode()
        wait_for(lambda: self._said(wanted), "the ingress to use the new keys", every=0.002)

    def _fingerprint(self) -> str:
        """As ingress/config/config_fingerprint.hpp has it, worked out here."""
        files = {entry["value"]["file"] for entry in self.ingress.config["sources"][0]["keys"]}
        parts = [self.ingress.config_file.read_bytes(), *(hashlib.sha256(Path(file).read_bytes()).digest() for file in sorted(files))]
        return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()

    def _said(self, text: bytes) -> bool:
        said = self._tail + self._log.read()
        self._tail = said[-1000:]
        return text in said

    def close(self) -> None:
        self._log.close()


class Traffic:
    """Providers that send one event after the other, each signed with the secret of the moment."""

    def __init__(self, port: int, secret: str) -> None:
        self.port = port
        self.sent: list[str] = []
        self.refused: list[str] = []
        self._current = (0, secret)
        self._finished = [0] * SENDERS  # number of the secret that each was answered under last
        self._changed = threading.Condition()
        self._stop = False
        self._threads = [threading.Thread(target=self._send, args=(number,)) for number in range(SENDERS)]

    def switch(self, secret: str) -> None:
        """Returns when every sender has been answered under the new secret, so nothing of the old is under way."""
        with self._changed:
            number = self._current[0] + 1
            self._current = (number, secret)
            assert self._changed.wait_for(lambda: min(self._finished) >= number or self._stop, 20), "the senders are stuck"
        assert not self.refused, self.refused

    def __enter__(self) -> Traffic:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        for thread in self._threads:
            thread.join(30)

    def _send(self, sender: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        while not self._stop:
            number, secret = self._current
            self._send_one(connection, secret, number)
            with self._changed:
                self._finished[sender] = number
                self._changed.notify_all()
            self._pause(time.monotonic() + EVERY)
        connection.close()

    def _pause(self, until: float) -> None:
        wait_for(lambda: self._stop or time.monotonic() >= until, "the next event's time", every=EVERY / 2)

    def _send_one(self, connection: http.client.HTTPConnection, secret: str, number: int) -> None:
        event = payment()
        try:
            status = post(connection, event.body, secret)
        except (OSError, http.client.HTTPException) as error:
            status = repr(error)
            connection.close()
        self.sent.append(event.id)
        if status != 200:
            self.refused.append(f"{event.id} under secret {number}: {status}")
            self._stop = True


def post(connection: http.client.HTTPConnection, body: bytes, secret: str) -> int:
    connection.request("POST", PATH, body, {"Content-Type": "application/json",
                                            "Stripe-Signature": signature_header(secret, body, int(time.time()))})
    reply = connection.getresponse()
    reply.read()
    return reply.status


def counts(port: int, secret: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        return post(connection, b"{}", secret) != 400
    finally:
        connection.close()


@dataclass
class Rotation:
    """One key's succession: the entries while both are good, those after it, and keys that must not count then."""

    new: Key
    overlap: list[dict]
    after: list[dict]
    void: list[Key]
    spare: Key | None = None


def plain(old: Key, ring: Ring) -> Rotation:
    new = ring.new()
    return Rotation(new, [old.entry(), new.entry()], [new.entry()], [old])


def with_windows(old: Key, ring: Ring) -> Rotation:
    """A third one is announced, whose time has not come."""
    new, announced = ring.new(), ring.new()
    live = new.entry(not_before=EARLIER)
    return Rotation(new, [old.entry(not_after=LATER), live, announced.entry(not_before=LATER)],
                    [live, announced.entry(not_before=LATER)], [old, announced])


def ended_by_time(old: Key, ring: Ring) -> Rotation:
    """The old one stays in the file; its time is over."""
    new = ring.new()
    return Rotation(new, [new.entry(), old.entry()], [old.entry(not_after=EARLIER), new.entry()], [old])


def with_a_spare(old: Key, ring: Ring) -> Rotation:
    """Leaves room for the next one: a second entry with a secret that nobody uses yet."""
    new, spare = ring.new(), ring.new()
    return Rotation(new, [old.entry(), new.entry()], [new.entry(), spare.entry()], [old], spare)


KINDS = (plain, with_windows, ended_by_time, with_a_spare)


def succeed(turn: int, old: Key, ring: Ring, traffic: Traffic) -> Rotation:
    rotation = KINDS[turn % len(KINDS)](old, ring)
    is_left_to_be_noticed = turn % UNSIGNALLED == 20
    ring.tell(rotation.overlap, by_signal=not is_left_to_be_noticed or turn % 2 == 0)
    traffic.switch(rotation.new.secret)
    ring.tell(rotation.after, by_signal=not is_left_to_be_noticed or turn % 2 == 1)
    return rotation


def replace_secret(rotation: Rotation, ring: Ring, traffic: Traffic, *, by_signal: bool) -> Key:
    """The configuration stays as it is; the spare entry's file gets the next secret, then the old one's file another."""
    new = rotation.spare.with_other_secret()
    ring.tell(rotation.after, by_signal=by_signal)
    traffic.switch(new.secret)
    rotation.new.with_other_secret()
    ring.tell(rotation.after, by_signal=True)
    rotation.void.append(rotation.new)
    return new


def rotate(old: Key, ring: Ring, traffic: Traffic) -> int:
    """How many rotations there were: a turn has one, and where a spare was left a second one."""
    done = turn = 0
    while done < ROTATIONS:
        rotation = succeed(turn, old, ring, traffic)
        old, done = rotation.new, done + 1
        if rotation.spare:
            old, done = replace_secret(rotation, ring, traffic, by_signal=turn % UNSIGNALLED != 19), done + 1
        if turn % PROBED == 0:
            counting = [key.id for key in rotation.void if counts(ring.ingress.port, key.secret)]
            assert not counting, f"turn {turn}: {counting} still count"
        turn += 1
    return done


@pytest.mark.timeout(120 + ROTATIONS)
def test_rotations_under_load_refuse_nobody(pipeline: Pipeline) -> None:
    pipeline.secrets["TEST_ROTATED"] = MARK  # looked for in every output
    ingress = pipeline.ingress(start=False)
    old = Key("k0", fresh_secret(), pipeline.folder / "k0.secret").put()
    ingress.config["sources"][0]["keys"] = [old.entry()]
    ingress.start().ready()
    ring, began = Ring(pipeline, ingress), time.monotonic()
    with Traffic(ingress.port, old.secret) as traffic:
        done = rotate(old, ring, traffic)
    seconds = time.monotonic() - began
    ring.close()
    assert not traffic.refused, traffic.refused
    held = [record.text("ce_id") for record in pipeline.log.read(pipeline.topic)]
    assert sorted(held) == sorted(traffic.sent), f"{len(traffic.sent)} answered 200, {len(held)} in Kafka"
    print(f"{done} rotations in {seconds:.1f} s, {len(traffic.sent)} requests answered 200 and in Kafka")
