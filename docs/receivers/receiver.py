import base64
import hmac


def is_authentic(headers, body, secrets, now):
    try:
        key, timestamp, signatures = (headers[f"webhook-{name}"].encode() for name in ("id", "timestamp", "signature"))
        if abs(now - int(timestamp)) > 300:
            return False
    except (KeyError, ValueError):
        return False
    genuine = []
    for secret in filter(None, (base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets)):
        mac = hmac.digest(secret, b".".join((key, timestamp, body)), "sha256")
        genuine.append(b"v1," + base64.b64encode(mac))
    return any(hmac.compare_digest(one, mine) for one in signatures.split(b" ") for mine in genuine)


def receive(headers, body, secrets, now, db, work):
    if not is_authentic(headers, body, secrets, now):
        return 401
    with db:  # COMMIT at the end, ROLLBACK if anything raises
        added = db.execute("INSERT INTO received_message (id) VALUES (?) ON CONFLICT DO NOTHING", [headers["webhook-id"]])
        if added.rowcount == 1:
            work(db, body)
    return 204
