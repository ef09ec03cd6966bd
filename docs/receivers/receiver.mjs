import { createHmac, timingSafeEqual } from "node:crypto";

function isAuthentic(headers, body, secrets, now) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !signatures || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > 300) return false;
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    if (key.length === 0) return false;
    const mac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
    const genuine = Buffer.from(`v1,${mac}`);
    return signatures.split(" ").some((one) => {
      const given = Buffer.from(one);
      return given.length === genuine.length && timingSafeEqual(given, genuine);
    });
  });
}

// `body`: a Buffer; `now`: in seconds; `db`: one client of the package pg. An exception is a ROLLBACK: answer 500.
export async function receive(headers, body, secrets, now, db, work) {
  if (!isAuthentic(headers, body, secrets, now)) return 401;
  await db.query("BEGIN");
  try {
    const insert = "INSERT INTO received_message (id) VALUES ($1) ON CONFLICT DO NOTHING";
    const added = await db.query(insert, [headers["webhook-id"]]);
    if (added.rowCount === 1) await work(db, body);
    await db.query("COMMIT");
    return 204;
  } catch (error) {
    await db.query("ROLLBACK");
    throw error;
  }
}
