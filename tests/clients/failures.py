"""Steps of a failing server in which no whole answer reaches the client; most of them after the command was executed."""

from __future__ import annotations

from failing_server import Step, Turn, own


def drops_unexecuted(_: Turn) -> bool:
    return False


def drops_executed(turn: Turn) -> bool:
    turn.execute()
    return False


def half(share: float) -> Step:
    def step(turn: Turn) -> bool:
        whole = turn.execute()
        turn.send(whole[:int(len(whole) * share)])
        return False
    return step


def garbage(turn: Turn) -> bool:
    turn.execute()
    turn.send(b"SSH-2.0-OpenSSH_9.9\r\n\x00\xff\r\n\r\n" * 3)
    return False


def drips_head(turn: Turn) -> bool:
    turn.execute()
    turn.drip(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    return False


def drips_body(turn: Turn) -> bool:
    turn.execute()
    turn.drip(b"HTTP/1.1 200 OK\r\nIdempotency-Replayed: false\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n")
    return False


def says_nothing(turn: Turn) -> bool:
    """After it has executed: the answer comes when the client has gone."""
    whole = turn.execute()
    turn.is_over()
    turn.send(whole)
    return False


def endless(turn: Turn) -> bool:
    turn.execute()
    turn.send(b"HTTP/1.1 200 OK\r\nIdempotency-Replayed: false\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not turn.is_over(within=0):
        turn.send(b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
    return False


def too_large(turn: Turn) -> bool:
    turn.execute()
    turn.send(b"HTTP/1.1 200 OK\r\nIdempotency-Replayed: false\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000)
    return False


def says_no_length(turn: Turn) -> bool:
    """It ends with the connection: the client cannot know that this is only the half of it."""
    turn.execute()
    turn.send(b'HTTP/1.1 200 OK\r\nIdempotency-Replayed: false\r\nContent-Type: application/json\r\n\r\n{"char')
    return False


def says_no_length_of_nothing(turn: Turn) -> bool:
    turn.execute()
    turn.send(b"HTTP/1.1 200 OK\r\nIdempotency-Replayed: false\r\nContent-Type: application/json\r\n\r\n")
    return False


def closes_afterwards(turn: Turn) -> bool:
    """Answers as if the connection stayed."""
    turn.send(turn.execute())
    return False


def answers_twice(turn: Turn) -> bool:
    """The second answer must not be taken for that of the next request."""
    whole = turn.execute()
    turn.send(whole + own("200 OK", b'{"not": "yours"}'))
    return True
