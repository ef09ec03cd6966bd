"""Commands of operators as they lie on their topic: proto/command.proto, read by hand, and answers as the retry role gives."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from tests.support.ledger import Ledger
from tests.support.pipeline import Pipeline

ACTIONS = {16: "retry", 17: "skip", 18: "edit", 19: "close", 20: "rerun"}


def fields_of(message: bytes) -> dict[int, int | bytes]:
    """Wire types 0 and 2, which is all that these messages have."""
    fields: dict[int, int | bytes] = {}
    while message:
        tag, message = _varint(message)
        value, message = _varint(message)
        if tag & 7 == 2:
            fields[tag >> 3], message = message[:value], message[value:]
        else:
            assert tag & 7 == 0, tag
            fields[tag >> 3] = value
    return fields


def _varint(message: bytes) -> tuple[int, bytes]:
    value = shift = 0
    for at, byte in enumerate(message):
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, message[at + 1:]
    raise AssertionError("a number that does not end")


@dataclass(frozen=True)
class Sent:
    key: bytes | None
    fields: dict[int, int | bytes]

    @property
    def identity(self) -> bytes:
        return bytes(self.fields[1])

    @property
    def run(self) -> bytes:
        return bytes(self.fields[9])

    @property
    def dead_letter(self) -> int:
        return int(self.fields[10])

    @property
    def action(self) -> str:
        [action] = [name for number, name in ACTIONS.items() if number in self.fields]
        return action

    def text(self, number: int) -> str:
        return bytes(self.fields[number]).decode()


def sent_by(pipeline: Pipeline) -> list[Sent]:
    return [Sent(record.key, fields_of(record.value)) for record in pipeline.log.read(pipeline.commands)]


class Answering:
    """A stand-in for the retry role: while it is entered, each command gets its row, and its entry is closed."""

    def __init__(self, pipeline: Pipeline, answer: str = "carried_out") -> None:
        self.pipeline, self.answer = pipeline, answer
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Answering:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(30)

    def _work(self) -> None:
        while not self._ended.wait(0.2):
            answer_all(self.pipeline.ledger, sent_by(self.pipeline), self.answer)


def answer_all(ledger: Ledger, commands: list[Sent], answer: str = "carried_out") -> None:
    for command in commands:
        ledger.query("INSERT IGNORE INTO operator_action VALUES (%s, %s, %s, %s, NULL, %s, NULL, NULL, %s, %s, %s, 'u', 'h',"
                     " UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), NULL, NULL, NULL, NULL)", command.identity, command.run, command.action, answer,
                     command.key, command.dead_letter, command.text(4), command.text(5))
        if answer == "carried_out":
            ledger.query("UPDATE dead_letter SET closed_at = UTC_TIMESTAMP(6), closed_as = 'retried' WHERE id = %s", command.dead_letter)
