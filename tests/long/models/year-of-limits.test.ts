import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { hwidHashOf } from "@/domain/blocks/hashes";
import { fillYear, type Filled, fullYear } from "../../growth/year";
import type { Person } from "../../support/people/person";
import { putBack } from "../../support/checks/put-back";
import { openStage, type Stage } from "../../support/shop/stage";
import { watchStatements } from "../../support/checks/statements";
import { inOrder, longestList, requestOf } from "../../support/people/walk";
import { computer } from "../../stories/devices/computers";
import { ask } from "../../stories/devices/signing-in";
import { callsOf } from "../../stories/api/calls";
import { unlimited } from "../../support/shop/unlimited";

/** Fewer of what only takes longer to write and to read to its end. */
const year = { ...fullYear, sold: 3_000, tickets: 5_000, events: 20_000 };
const password = "a long enough phrase";
const mostRows = 100;
const mostBytes = 200_000;
/** A page of payments has ten keys each, and one row more is read to know whether there is a next page. */
const mostRowsOfAStatement = (mostRows + 1) * 10;

/** The most rows that one statement of the shop has answered since the last look, and which it was. */
const largest = { rows: 0, sql: "" };
afterAll(
  watchStatements((sql, _, rows) => {
    if (rows > largest.rows) Object.assign(largest, { rows, sql });
  }),
);

test("no call answers too much to an account that has used its limits for a year", async () => {
  await using stage = await openStage({ discord: true, env: unlimited });
  const { person, filled } = await owner(stage);
  await readToTheEnd(person, filled);
  const calls = inOrder(
    callsOf((await person.get("/api/openapi.json")).body).filter(({ security }) => security !== "desk"),
  );
  const { client } = stage.ctx.store;
  const { id, api_key: token } = (await person.get("/api/user/me")).body.data;
  const again = [await putBack(client, "accounts", { which: `id = '${id}'` })];
  const study = computer("study");
  const walker = {
    token,
    cookie: () => [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    known: {
      id: filled.ticketId,
      file: filled.fileId,
      platform: "win",
      payment_intent: filled.largePaymentId,
      key: await stage.handOut(1),
      email: "year@example.com",
      username: "year",
      password,
      old_password: password,
      hwid: study.hwid,
      user_code: (await ask(stage, "study")).userCode,
      request: Buffer.from(
        JSON.stringify({ hwid_hash: hwidHashOf(study.hwid), label: "Study", os: "Linux" }),
      ).toString("base64url"),
    },
  };
  const answered = new Map<string, number>();
  for (const call of calls) {
    Object.assign(largest, { rows: 0, sql: "" });
    const { path, init } = requestOf(call, walker);
    const answer = await fetch(new URL(path, stage.url), init);
    const text = await answer.text();
    const name = `${call.method} ${call.path}`;
    answered.set(name, answer.status);
    expect([name, answer.status < 500]).toEqual([name, true]);
    expect([name, largest.rows <= mostRowsOfAStatement, largest.sql]).toEqual([name, true, largest.sql]);
    const isFile = answer.headers.has("content-disposition");
    if (!isFile && answer.headers.get("content-type")?.includes("json") && !path.endsWith("openapi.json")) {
      expect([name, Buffer.byteLength(text) <= mostBytes]).toEqual([name, true]);
      expect([name, longestList(JSON.parse(text)) <= mostRows]).toEqual([name, true]);
    }
    if (call.path.endsWith("/delete")) break;
    // the owner signs in again if a call ended the session
    await client.batch(again, "write");
    if ((await person.get("/api/user/me")).status === 200) continue;
    expect((await person.post("/api/auth/login", { username: "year", password })).status).toBe(200);
  }
  expect(answered.get("POST /api/user/delete")).toBe(200);
  // no release has files here
  const done = [...answered].filter(([name]) => !name.startsWith("GET /api/download"));
  const failed = done.filter(([, status]) => status >= 400).map(([name, status]) => `${status} ${name}`);
  console.log(`${done.length} calls; refused: ${failed.join(", ")}`);
  // the walk means something only if most calls do what they are for
  expect(failed.length).toBeLessThan(0.5 * done.length);
  const left =
    "SELECT (SELECT count(*) FROM payments WHERE account_id = ?1) + (SELECT count(*) FROM licences WHERE account_id = ?1) + (SELECT count(*) FROM tickets WHERE account_id = ?1) AS rows";
  expect((await client.execute({ sql: left, args: [id] })).rows[0]?.["rows"]).toBe(0);
});

/** Somebody who registered a year ago and is linked to Discord. */
async function owner(stage: Stage): Promise<{ person: Person; filled: Filled }> {
  const person = stage.person();
  expect((await person.register(await stage.handOut(), "year", password)).status).toBe(200);
  const { id } = (await person.get("/api/user/me")).body.data;
  const discordUserId = "900000000000000001";
  await stage.ctx.store.client.execute({
    sql: "INSERT INTO links (account_id, discord_user_id, linked_at) VALUES (?, ?, 0)",
    args: [id, discordUserId],
  });
  let filled: Filled | undefined;
  await stage.restart({
    async meanwhile() {
      const file = join(stage.dataDir, "shop.db");
      filled = fillYear(stage.ctx, file, { id, discordUserId }, year);
    },
  });
  if (!filled) throw new Error("nothing was filled");
  return { person, filled };
}

/** Reads every list to its end: each row once, newest first. */
async function readToTheEnd(person: Person, filled: Filled): Promise<void> {
  const lists = {
    "/api/payments": [filled.payments, "created_at", "id"],
    "/api/licenses/me": [year.sold + 1, "redeemed_date", "key"],
    "/api/tickets": [year.tickets + 1, "opened_at", "id"],
    "/api/user/sessions": [year.sessions + 1, "last_seen_at", "id"],
    "/api/user/security-events": [year.events + year.sold + 3, "at", "id"],
    [`/api/tickets/${filled.ticketId}`]: [year.messages, "at", "id"],
  } as const;
  for (const [path, [expected, time, key]] of Object.entries(lists)) {
    const seen = new Set<string>();
    let last = "9999";
    let before: string | null = null;
    do {
      const { status, body } = await person.get(`${path}${before ? `?before=${before}` : ""}`);
      expect([path, status]).toEqual([path, 200]);
      const rows: Record<string, string>[] = body.data.messages?.toReversed() ?? body.data;
      expect(rows.length).toBeLessThanOrEqual(mostRows);
      for (const row of rows) {
        expect((row[time] ?? "") <= last).toBe(true);
        last = row[time] ?? "";
        seen.add(row[key] ?? "");
      }
      before = body.next;
    } while (before);
    expect([path, seen.size]).toEqual([path, expected]);
    expect((await person.get(`${path}?before=nonsense`)).body).toMatchObject({
      status: 400,
      field: "before",
    });
  }
}
