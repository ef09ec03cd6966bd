"""Reads one message from standard input; prints what was paid, "nothing" or why not. The paths are those of both modules."""

import sys

sys.path[:0] = sys.argv[2:]
from google.protobuf.message import DecodeError
from payment_event import paid

try:
    its = paid(sys.argv[1], sys.stdin.buffer.read())
    print(*its if its else ["nothing"])
except DecodeError:
    print("no PaymentEvent")
except ValueError as error:
    print(error)
