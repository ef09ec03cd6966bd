"""The effects that most tests run with: what a small team would want of Stripe's events."""

from __future__ import annotations

import copy

SOURCE = "stripe-eu"

EFFECTS: list[dict] = [
    {"name": "credit-wallet",
     "when": {"source": SOURCE, "type": "payment_intent.succeeded"},
     "let": {"customer": "/data/object/customer", "amount": {"pointer": "/data/object/amount", "as": "int64"}},
     "sql": [
         {"run": "UPDATE wallet SET balance = balance + :amount WHERE customer = :customer",
          "rows": {1: "done", 0: "defer"}},
         {"run": "INSERT INTO wallet_entry (event, customer, amount) VALUES (:event_id, :customer, :amount)",
          "rows": {1: "done"}}]},
    {"name": "take-back-refund",
     "when": {"source": SOURCE, "type": "charge.refunded"},
     "let": {"customer": "/data/object/customer",
             "amount": {"pointer": "/data/object/amount_refunded", "as": "int64",
                        "minus": "/data/previous_attributes/amount_refunded"}},
     "sql": [
         {"run": "UPDATE wallet SET balance = balance - :amount WHERE customer = :customer",
          "rows": {1: "done", 0: "defer"}},
         {"run": "INSERT INTO wallet_entry (event, customer, amount) VALUES (:event_id, :customer, -:amount)",
          "rows": {1: "done"}}]},
    {"name": "ask-for-email",
     "when": {"source": SOURCE, "type": "invoice.payment_failed"},
     "let": {"customer": "/data/object/customer", "address": "/data/object/customer_email"},
     "sql": [
         {"run": "INSERT INTO email_request (event, customer, address) VALUES (:event_id, :customer, :address)",
          "rows": {1: "done"}}]}]

# Wants another try as long as the customer has no wallet.
WANTS_A_ROW: dict = {
    "name": "wants-a-row",
    "when": {"source": SOURCE, "type": "invoice.paid"},
    "let": {"customer": "/data/object/customer"},
    "sql": [
        {"run": "UPDATE wallet SET balance = balance + 1 WHERE customer = :customer", "rows": {1: "done", 0: "retry"}},
        {"run": "INSERT INTO wallet_entry (event, customer, amount) VALUES (:event_id, :customer, 1)",
         "rows": {1: "done"}}]}


def parks_without_a_wallet() -> dict:
    """The same, but dead at once."""
    parks = copy.deepcopy(WANTS_A_ROW)
    parks["sql"][0]["rows"][0] = "park"
    return parks
