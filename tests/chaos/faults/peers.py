"""Peers of the ingresses that are no provider: they hold connections and never end a request."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from random import Random

from tests.chaos.plan import Fault
from tests.chaos.site import Site
from tests.chaos.story import Story
from tests.support.pipeline import PATH

DRIBBLE_EVERY = 0.1  # seconds
BEGINNINGS = (b"", b"POST ", b"POST %(path)s HTTP/1.1\r\nHost: x\r\nContent-Le",
              b"POST %(path)s HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n",
              b"POST %(path)s HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n{\"id\":",
              b"POST %(path)s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"i",
              b"\x16\x03\x01\x02")


def silent(site: Site, fault: Fault, story: Story) -> None:
    """They stop in the middle and say no more."""
    with _crowd(site, fault, story):
        story.pause(fault.lasts)


def dribbling(site: Site, fault: Fault, story: Story) -> None:
    """A byte now and then, so that something is always on its way when a deadline passes."""
    with _crowd(site, fault, story) as crowd:
        while story.now < fault.at + fault.lasts and story.pause(DRIBBLE_EVERY):
            for peer in crowd:
                with contextlib.suppress(OSError):
                    peer.send(b"a")


@contextlib.contextmanager
def _crowd(site: Site, fault: Fault, story: Story) -> Iterator[list[socket.socket]]:
    """To each ingress that listens now."""
    dice = Random(f"{site.plan.seed}/{fault.at}")
    with contextlib.ExitStack() as stack:
        crowd: list[socket.socket] = []
        for program in site.ingresses:
            for _ in range(int(fault.how.get("number", 1))):
                with contextlib.suppress(OSError):
                    peer = stack.enter_context(socket.create_connection(("127.0.0.1", program.port), timeout=1))
                    peer.setblocking(False)
                    peer.send(dice.choice(BEGINNINGS) % {b"path": PATH.encode()})
                    crowd.append(peer)
        story.count("crowds of stalling peers")
        yield crowd
