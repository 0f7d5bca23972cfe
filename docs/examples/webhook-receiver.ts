/**
 * Receives the shop's webhooks, as docs/webhooks.md explains; the same in Python is webhook_receiver.py. Copy it, and
 * let `handle` do what your system needs. It runs in Bun and in Node 24, behind your proxy for https:
 *
 *     npm install standardwebhooks
 *     WEBHOOK_SECRET=whsec_… node webhook-receiver.ts
 */
import { createServer, type IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

type Event = { type: string; timestamp: string; data: { sequence: number; [field: string]: unknown } };

/** The shop's bodies stay below 20 kB. */
const largestBody = 64 * 1024;
/** The shop repeats no event that is older than 30 days, plus the days that it tries again. */
const rememberedMilliseconds = 40 * 24 * 60 * 60 * 1000;

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? "");
const db = new DatabaseSync(process.env.WEBHOOK_DATABASE ?? "webhooks.sqlite");
db.exec(`
  PRAGMA journal_mode = WAL;
  -- every event's id, and its body until it is handled
  CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body TEXT, received_at INTEGER NOT NULL);
  -- the newest that is known of each thing
  CREATE TABLE IF NOT EXISTS things (thing TEXT PRIMARY KEY, sequence INTEGER NOT NULL, data TEXT NOT NULL);
`);

/** Stores an event once and answers at once: the shop waits 15 seconds, and what takes longer is sent again. */
function receive(body: string, headers: Record<string, string>): number {
  try {
    // throws as well if the timestamp is more than five minutes off
    webhook.verify(body, headers, { jsonParse: false });
  } catch {
    return 401;
  }
  // an id that is known was sent again: the shop has to hear 2xx, and nothing is done twice
  db.prepare("INSERT INTO inbox (id, body, received_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING").run(
    headers["webhook-id"] ?? "",
    body,
    Date.now(),
  );
  setImmediate(handleWaiting);
  return 204;
}

/** An event that fails stays in the inbox and is handled again later; it holds up no other. */
function handleWaiting(): void {
  for (const row of db.prepare("SELECT id, body FROM inbox WHERE body IS NOT NULL ORDER BY rowid").all()) {
    db.exec("BEGIN IMMEDIATE");
    try {
      const outcome = handle(JSON.parse(String(row.body)) as Event);
      // only the id is needed from now on
      db.prepare("UPDATE inbox SET body = NULL WHERE id = ?").run(String(row.id));
      db.exec("COMMIT");
      console.log(outcome);
    } catch (error) {
      db.exec("ROLLBACK");
      console.error(`Event ${String(row.id)} will be tried again:`, error);
    }
  }
}

/** What your system does with an event. Other calls, such as to an API, belong into a queue of your own. */
function handle({ type, data }: Event): string {
  const thing = thingOf(type, data);
  const { changes } = db
    .prepare(
      `INSERT INTO things (thing, sequence, data) VALUES (?, ?, ?)
       ON CONFLICT (thing) DO UPDATE SET sequence = excluded.sequence, data = excluded.data
       WHERE excluded.sequence >= things.sequence`,
    )
    .run(thing, data.sequence, JSON.stringify(data));
  if (type === "account.deleted") forget(String(data.account));
  return `${type} ${thing} ${Number(changes) === 0 ? "is older than what is known" : data.sequence}`;
}

/** `order.paid` and `order.refunded` are about the same order. */
function thingOf(type: string, data: Event["data"]): string {
  const [family = ""] = type.split(".");
  const field = { discord: "account", release: "version", webhook: "endpoint" }[family] ?? family;
  return `${family}:${String(data[field])}`;
}

/** The customer had the account erased: nothing personal stays here either. */
function forget(account: string): void {
  db.prepare(
    `UPDATE things SET data =
       json_replace(data, '$.email', NULL, '$.email_confirmed', json('false'), '$.discord', NULL)
     WHERE json_extract(data, '$.account') = ?`,
  ).run(account);
}

async function answer(request: IncomingMessage): Promise<number> {
  const { "content-length": length, ...headers } = request.headers;
  if (request.url !== "/webhooks") return 404;
  if (request.method !== "POST") return 405;
  if (length === undefined) return 411;
  if (Number(length) > largestBody) return 413;
  // the signature is of the bytes that came: parse nothing before it is verified
  return receive(await text(request), headers as Record<string, string>);
}

const server = createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status, { connection: "close" }).end(),
    (error: unknown) => {
      // 5xx: the shop sends it again
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
db.prepare("DELETE FROM inbox WHERE body IS NULL AND received_at < ?").run(
  Date.now() - rememberedMilliseconds,
);
setInterval(handleWaiting, 60_000);
server.listen(Number(process.env.PORT ?? 8000), "127.0.0.1", () => {
  const address = server.address();
  console.log(`Listening on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/webhooks`);
  handleWaiting();
});
