/**
 * What the shop is compared with, each in a process of its own:
 *
 *     bun     Bun.serve with a constant answer
 *     join    Hono, and one prepared drizzle query of the session and its account
 *     query   Hono, and the query that the shop makes for every signed-in request
 *     argon2id    Bun.serve, and as many checks of a password at once as the shop makes for unknown browsers
 */
import { createClient } from "@libsql/client";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { Hono } from "hono";
import pLimit from "p-limit";
import { fileClient } from "@/core/database/file-client";
import { createSecrets } from "@/core/secrets/secrets";
import { accounts, sessions } from "@/domain/schema/accounts";
import { sessionReader } from "@/domain/accounts/sessions/sessions";
import { password } from "./password";

const [kind, file = "", token = ""] = process.argv.slice(2);
const client =
  kind === "query" ? fileClient(file, 20) : createClient({ url: `file:${file}`, concurrency: 1 });
const db = drizzle(client);

const answers: Record<string, () => (request: Request) => Response | Promise<Response>> = {
  bun: () => () => Response.json({ status: 200, data: { username: "bench" } }),
  join() {
    const query = db
      .select({ session: sessions, account: accounts })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(eq(sessions.tokenHash, sql.placeholder("hash")))
      .prepare();
    const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64url");
    return new Hono().get("/", async (c) =>
      c.json({ status: 200, data: (await query.all({ hash }))[0]?.account }),
    ).fetch;
  },
  argon2id() {
    const twoAtATime = pLimit(2);
    const hash = accountHash();
    return async () =>
      Response.json({
        status: 200,
        data: await twoAtATime(async () => Bun.password.verify(password, await hash)),
      });
  },
  query() {
    const store = { db, client, sole: false, remote: false, close: () => client.close() };
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const readSession = sessionReader({
      store,
      log,
      secrets: createSecrets(new Uint8Array(32)),
      now: () => new Date(),
      livemode: false,
      currency: "usd",
      timeZone: "UTC",
    });
    return new Hono().get("/", async (c) =>
      c.json({ status: 200, data: (await readSession(token))?.account }),
    ).fetch;
  },
};

/** Of the same cost. */
async function accountHash(): Promise<string> {
  const [found] = await db
    .select({ hash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.username, "bench"));
  return found?.hash ?? "";
}

const make = answers[kind ?? ""];
if (!make) throw new Error(`there is no ${kind}`);
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, development: false, fetch: make() });
console.log(JSON.stringify({ url: server.url.href }));
