import { connect } from "node:net";
import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { customer as siteCustomer } from "@/core/base/actor";
import { newId } from "@/core/database/context";
import { takeTurn } from "@/core/limits/turns";
import { tokenHash } from "@/core/secrets/secrets";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { closeTicket } from "@/domain/tickets/writing/change";
import { writeOnSite } from "@/domain/tickets/writing/write";
import { forgetUnpaid } from "@/domain/payments/reconcile/unpaid";
import { connect as connectTo, customer } from "../../support/people/discord";
import type { Person } from "../../support/people/person";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import {
  kept,
  openDesk,
  openInDiscord,
  type,
  waitForText,
  waitForTicket,
} from "../../support/people/tickets";
import { unlimited } from "../../support/shop/unlimited";

const password = "a long enough phrase";

test("an account begins thirty checkouts an hour, from wherever it asks", async () => {
  await using stage = await openStage();
  const [ada, bob] = [await registered(stage, "ada"), await registered(stage, "bob")];
  let from = 0;
  const begin = (person: Person) => {
    from += 1;
    const body = { currency: "usd" };
    return person.post("/api/stripe/create-checkout-session", body, { "x-forwarded-for": `10.9.${from}.1` });
  };
  for (let at = 0; at < 30; at += 1) expect((await begin(ada)).status).toBe(200);
  expect((await begin(ada)).body).toMatchObject({ status: 429, code: "rate_limited" });
  expect((await begin(bob)).status).toBe(200);
  expect((await begin(stage.person())).status).toBe(200);
  stage.advance(hour);
  expect((await begin(ada)).status).toBe(200);
});

test("a checkout whose outcome was never reported expires after a day and is deleted thirty days later", async () => {
  await using stage = await openStage({ webhooks: false });
  const { ctx } = stage;
  const ada = await registered(stage, "ada");
  const { id } = (await ada.post("/api/stripe/create-checkout-session", { currency: "usd" })).body.data;
  const listed = async () => (await ada.get("/api/payments")).body.data;
  expect(await listed()).toEqual([]);
  stage.advance(day - minute);
  expect(await listed()).toEqual([]);
  stage.advance(minute);
  expect(await listed()).toMatchObject([
    { status: "expired", failure_reason: "The checkout expired before it was paid.", license_keys: [] },
  ]);
  stage.advance(30 * day - minute);
  // the session is over by then
  await ada.post("/api/auth/login", { username: "ada", password });
  await forgetUnpaid(ctx);
  expect(await listed()).toHaveLength(1);
  await stage.buy("ada@example.com");
  stage.advance(minute);
  await forgetUnpaid(ctx);
  expect(await listed()).toEqual([]);
  const { rows } = await ctx.store.client.execute(
    "SELECT p.session_id, p.state, e.payment_id IS NOT NULL AS evidence FROM payments p LEFT JOIN payment_evidence e ON e.payment_id = p.id",
  );
  expect(rows).toMatchObject([{ state: "succeeded", evidence: 1 }]);
  expect(rows.map((row) => row["session_id"])).not.toContain(id);
});

test("an account has at most a hundred sessions; the next sign-in ends the least recently used", async () => {
  await using stage = await openStage();
  const ada = await registered(stage, "ada");
  const { id: accountId } = (await ada.get("/api/user/me")).body.data;
  const now = stage.ctx.now().getTime();
  for (let at = 0; at < 99; at += 1) {
    await stage.ctx.store.client.execute({
      sql: "INSERT INTO sessions (token_hash, id, account_id, created_at, last_seen_at, user_agent, address) VALUES (?, ?, ?, ?, ?, '', '')",
      args: [tokenHash(`t${at}`), newId(), accountId, now - day, now - (at + 1) * minute],
    });
  }
  const here = stage.person();
  const seen = async () => (await here.get("/api/user/sessions")).body;
  expect((await here.post("/api/auth/login", { username: "ada", password })).status).toBe(200);
  const after = await seen();
  expect([after.data.length, after.next]).toEqual([100, null]);
  const oldest = new Date(now - 98 * minute).toISOString();
  expect(after.data.at(-1).last_seen_at).toBe(oldest);
  expect((await ada.get("/api/user/me")).status).toBe(200);
});

test("a ticket takes 500 messages, then says so on both sides, closes for good, and loses nothing written meanwhile", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const asked = await person.post("/api/tickets", { topic: "device", question: "Hello" });
  const page = `/api/tickets/${asked.body.data.id}`;
  const write = (text: string) => person.post(`${page}/messages`, { text });
  const thread = String((await waitForTicket(stage, ({ card_id }) => Boolean(card_id)))["thread_id"]);
  await fill(stage, asked.body.data.id);
  expect((await write("one before the last")).body.data).toMatchObject({ state: "open" });
  const last = await write("the last");
  expect(last).toMatchObject({ status: 200, body: { data: { state: "closed", reopen_until: null } } });
  expect(last.body.data.close_reason).toContain("This ticket is full: it has 500 messages.");
  expect((await write("too late")).body).toMatchObject({ status: 409, code: "ticket_closed" });
  expect((await person.post(`${page}/reopen`)).body).toMatchObject({ status: 409, code: "ticket_full" });
  const text = await waitForText(stage, thread, "Please open a new one");
  expect(text).toContain("the last");
  expect(text).not.toContain("reopen it");

  const { id, thread: other } = await openInDiscord(stage, "dora");
  await fill(stage, id);
  for (const content of ["the last", "and again", "anybody there?"])
    await stage.atDiscord("messages", { user: "dora", channel: other, content });
  await waitForText(stage, other, "Please open a new one");
  await eventually(
    () => kept(stage),
    (rows) => rows.some(({ content }) => content === "anybody there?"),
  );
  expect((await type(stage, "dora", "support reopen")).content).toContain("Please open a new one");
});

test("a full ticket stays closed, also if its customer closes it at the moment of its last messages", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const { person, username } = await customer(stage, "ada");
  const asked = await person.post("/api/tickets", { topic: "device", question: "Hello" });
  const ticket = await expectTicket(ctx, asked.body.data.id);
  await fill(stage, ticket.id);
  const account = { id: String(ticket.accountId), username };
  await Promise.all([
    ...["one", "two", "three"].map((text) => writeOnSite(ctx, ticket, { account, text })),
    closeTicket(ctx, ticket, { actor: siteCustomer(account.id), reason: null }),
  ]);
  const page = `/api/tickets/${ticket.id}`;
  expect((await person.get(page)).body.data).toMatchObject({ closed_by: "member", reopen_until: null });
  expect((await person.post(`${page}/reopen`)).body).toMatchObject({ status: 409, code: "ticket_full" });
});

/** As if a ticket had 498 messages. */
async function fill(stage: Stage, id: string): Promise<void> {
  await stage.ctx.store.client.execute({
    sql: `WITH RECURSIVE n (i) AS (SELECT (SELECT count(*) FROM ticket_messages WHERE ticket_id = ?1) + 1 UNION ALL SELECT i + 1 FROM n WHERE i < 498)
      INSERT INTO ticket_messages (id, ticket_id, via, author, author_id, author_name, content, at, posted_at)
      SELECT ?1 || i, ?1, 'site', 'member', '1', 'ada', 'earlier', i, i FROM n`,
    args: [id],
  });
}

test("transcripts are sent one at a time, as fast as the client reads", async () => {
  await using stage = await openDesk({ env: unlimited });
  const { person } = await customer(stage, "ada");
  await connectTo(stage, person, "ada");
  const { id } = await openInDiscord(stage, "ada");
  const { client } = stage.ctx.store;
  await client.execute({
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO ticket_messages (id, ticket_id, author, author_id, author_name, content, at)
      SELECT printf('9%017d', i), ?, 'member', '1', 'Ada', printf('%.*c', 2000, 'x'), i FROM n`,
    args: [id],
  });
  const path = `/api/tickets/${id}/transcript`;
  const slow = await readsNothing(stage, person, path);
  const other = await person.get(path);
  expect(other.body).toMatchObject({ status: 429, code: "rate_limited" });
  expect(Number(other.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await person.get("/api/user/export")).status).toBe(429);
  expect((await person.send("HEAD", path)).status).toBe(200);
  // other calls go on meanwhile
  expect((await person.get(`/api/tickets/${id}`)).status).toBe(200);
  slow.destroy();
  const whole = await eventually(
    () => person.get(path),
    ({ status }) => status === 200,
  );
  expect(whole.body.length).toBeGreaterThan(20_000 * 2_000);
  expect((await person.get("/api/user/export")).status).toBe(200);
});

test("a file that is over, and whose reader leaves then, ends no later one's turn", async () => {
  await using stage = await openStage();
  const end = takeTurn(stage.ctx, "file:ada");
  end();
  takeTurn(stage.ctx, "file:ada");
  end();
  expect(() => takeTurn(stage.ctx, "file:ada")).toThrow("rate_limited");
});

async function registered(stage: Stage, name: string): Promise<Person> {
  const person = stage.person();
  expect((await person.register(await stage.handOut(), name, password)).status).toBe(200);
  return person;
}

/** Asks for a path, waits for the head of the answer, and then takes nothing more. */
async function readsNothing(stage: Stage, person: Person, path: string) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const socket = connect(Number(stage.url.port), stage.url.hostname);
  const head = Promise.withResolvers<void>();
  socket.once("data", () => {
    socket.pause();
    head.resolve();
  });
  socket.on("error", head.reject);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${stage.url.host}\r\ncookie: ${cookie}\r\n\r\n`);
  await head.promise;
  return socket;
}
