from payment_event_pb2 import PaymentEvent  # protoc --python_out=. payment_event.proto


def paid(message_type, value):
    """(order number, minor units, currency); None for what is no payment of real money."""
    if message_type != "sluice.v1.PaymentEvent":
        raise ValueError("no PaymentEvent")
    event = PaymentEvent.FromString(value)
    payment = event.payment
    if not event.livemode or payment.kind != "paid":
        return None
    if not payment.reference or not payment.HasField("amount"):
        raise ValueError("the provider does not say what was paid")
    return payment.reference, payment.amount, payment.currency
