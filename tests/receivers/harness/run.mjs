// Answers each message of stdin as docs/receivers/receiver.mjs does: `STATUS WORKED` a line.
import { createInterface } from "node:readline";

import { receive } from "../../../docs/receivers/receiver.mjs";

// One table in memory, as a client of the package pg: a transaction's rows count from its COMMIT on.
const rows = new Set();
let added = null;
const db = {
  async query(statement, values) {
    if (statement === "BEGIN") added = new Set();
    else if (statement === "COMMIT") added.forEach((id) => rows.add(id));
    else if (statement === "ROLLBACK") added = null;
    else if (added && statement.startsWith("INSERT INTO received_message (id) ")) {
      const isKnown = rows.has(values[0]);
      if (!isKnown) added.add(values[0]);
      return { rowCount: isKnown ? 0 : 1 };
    } else throw new Error("not that statement in a transaction");
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [now, body, secrets, ...fields] = line.split("\t");
  const headers = Object.fromEntries(fields.map((field) => [field.split("=", 1)[0], field.slice(field.indexOf("=") + 1)]));
  let worked = 0;
  const work = async (_, told) => {
    if (told.includes("fails")) throw new Error("as the test asks");
    worked += 1;
  };
  const status = await receive(headers, Buffer.from(body, "base64"), secrets.split("|"), Number(now), db, work).catch(() => 500);
  console.log(status, worked);
}
