/** A connection to the database server that is silent, slow or cut: no answer is false, and the shop soon recovers. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { watchClock } from "@/core/clock-watch";
import { createLog } from "@/core/log";
import { openStore, type Store } from "@/core/database";
import { settle } from "@/domain/payments/settle/settle";
import { customer } from "../../support/people/discord";
import { auditOrders } from "../../crash/audit-orders";
import { waitUntil } from "../../crash/harness";
import { type ShopProcess, startShopProcess, startWorld } from "../../crash/processes";
import { libsqlProgram, type LibsqlServer, startLibsqlServer } from "../../support/network/libsql-server";
import { Person } from "../../support/people/person";
import { shareSite } from "../../support/shop/shared-site";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { startTroubledLine } from "../../support/network/faulty-line";
import { freePort } from "../../support/shop/free-port";

const found = libsqlProgram();
const password = "a long enough phrase";

describe.skipIf("missing" in found)("the line to a libSQL server", () => {
  let server: LibsqlServer;
  let line: ReturnType<typeof startTroubledLine>;
  let stage: Stage;
  let beside: Store;
  beforeAll(async () => {
    server = await startLibsqlServer("program" in found ? found.program : "");
    line = startTroubledLine(server.url);
    stage = await openStage({ env: { DATABASE_URL: line.url } });
    // as another process with a line of its own
    beside = await openStore({ url: server.url });
  });
  afterAll(async () => {
    beside.close();
    await stage[Symbol.asyncDispose]();
    await server.stop();
    line.stop();
  });
  const count = async (sql: string) => Number((await beside.client.execute(sql)).rows[0]?.[0]);
  const redeemed = () => count("SELECT count(*) FROM audit_log WHERE action = 'licence.redeemed'");

  test("registering succeeds if it was stored but the commit's response was lost, and so does the repeated request", async () => {
    const key = await stage.handOut();
    const ada = stage.person();
    const cut = line.cutAnswer(/insert into "accounts"/);
    const first = await ada.register(key, "ada");
    await cut.met;
    expect(first).toMatchObject({ status: 200, body: { data: { username: "ada" } } });
    expect((await ada.get("/api/user/me")).body.data.active_license).toBe(true);
    const again = stage.person();
    expect(await again.register(key, "ada")).toMatchObject({ status: 200, body: first.body });
    expect((await again.get("/api/user/me")).body.data.username).toBe("ada");
    expect(await count("SELECT count(*) FROM accounts WHERE username = 'ada'")).toBe(1);
  });

  test("redeeming and changing the password succeed if they were stored but the commit's response was lost", async () => {
    const { person } = await customer(stage, "bea", 30);
    const before = await redeemed();
    const key = await stage.handOut(30);
    const redeem = () => person.post("/api/licenses/redeem", { key, timezone: "UTC" });
    line.cutAnswer(/update "licences"/);
    expect(await redeem()).toMatchObject({
      status: 200,
      body: { data: { expiry_date: expect.any(String) } },
    });
    expect(await redeem()).toMatchObject({ status: 409, body: { code: "license_yours" } });
    expect(await redeemed()).toBe(before + 1);

    const change = () =>
      person.post("/api/user/password/reset", {
        old_password: password,
        new_password: "another long phrase",
      });
    line.cutAnswer(/update "accounts" set "password_hash"/);
    expect((await change()).status).toBe(200);
    expect((await change()).status).toBe(200);
    expect(
      await count(
        "SELECT count(*) FROM outbox WHERE topic LIKE 'mail.%' AND payload LIKE '%password-changed%'",
      ),
    ).toBeLessThanOrEqual(1);
  });

  test("a commit that the server refuses fails as usual if its response was lost", async () => {
    const { person } = await customer(stage, "cleo", 30);
    const key = await stage.handOut(30);
    await beside.client.execute(
      "CREATE TRIGGER never BEFORE UPDATE OF redeemed_at ON licences BEGIN SELECT RAISE(ABORT, 'never'); END",
    );
    const redeem = () => person.post("/api/licenses/redeem", { key, timezone: "UTC" });
    line.cutAnswer(/update "licences"/);
    expect((await redeem()).status).toBe(500);
    await beside.client.execute("DROP TRIGGER never");
    expect((await redeem()).status).toBe(200);
  });

  test("a commit that arrives after it was given up is not stored a second time", async () => {
    const { person } = await customer(stage, "dora", 30);
    const before = await redeemed();
    const key = await stage.handOut(30);
    const ready = async () => (await stage.person().get("/api/ready")).status;
    expect(await ready()).toBe(200);
    const late = line.hold(/update "licences"/);
    const redeeming = person.post("/api/licenses/redeem", { key, timezone: "UTC" });
    await late.met;
    await eventually(ready, (status) => status === 503);
    expect((await redeeming).status).toBe(200);
    await eventually(ready, (status) => status === 200);
    expect(await redeemed()).toBe(before + 1);
    late.release();
    await Bun.sleep(200);
    expect(await redeemed()).toBe(before + 1);
    const { data } = (await person.get("/api/licenses/me")).body;
    expect(data).toHaveLength(2);
  });

  test("an older read from Stripe is not stored after a newer one, even if the newer one changed nothing", async () => {
    const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
    const session: string = opened.body.data.id;
    await stage.atStripe("pay", { session, email: "eve@example.com" });
    await stage.stripe.flush();
    const state = async () =>
      (
        await beside.client.execute({
          sql: "SELECT state FROM payments WHERE session_id = ?",
          args: [session],
        })
      ).rows[0]?.[0];
    expect(await state()).toBe("succeeded");
    stage.stripe.setWebhookUrl("");
    const refund = await stage.atStripe("refund", { session });
    await stage.shop.worker.drain();
    const held = line.hold(/update "payments"/);
    const { checkout } = stage.shop;
    const older = settle(stage.ctx, checkout, session);
    await held.met;
    await stage.atStripe("refund/move", { refund: refund.id, status: "failed" });
    await settle({ ...stage.ctx, store: beside }, checkout, session);
    expect(await state()).toBe("succeeded");
    held.release();
    await older;
    expect(await state()).toBe("succeeded");
    stage.stripe.setWebhookUrl(stage.webhookUrl());
  });

  test("a settlement that hangs does not keep later webhooks of its payment waiting", async () => {
    const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
    const session: string = opened.body.data.id;
    stage.stripe.setWebhookUrl("");
    await stage.atStripe("pay", { session, email: "fay@example.com" });
    await stage.shop.worker.drain();
    const { rows } = await beside.client.execute({
      sql: "SELECT id FROM payments WHERE session_id = ?",
      args: [session],
    });
    // the shop may be settling another payment
    const hung = line.hold(new RegExp(`update "payments".*${rows[0]?.[0] as string}`, "s"));
    const { checkout } = stage.shop;
    let isOver = false;
    const first = settle(stage.ctx, checkout, session).finally(() => (isOver = true));
    await hung.met;
    expect((await settle(stage.ctx, checkout, session))?.state).toBe("succeeded");
    expect(isOver).toBe(false);
    hung.release();
    expect((await first)?.state).toBe("succeeded");
    expect(
      await count(
        "SELECT count(*) FROM licences JOIN payments ON payments.id = payment_id WHERE payments.email = 'fay@example.com'",
      ),
    ).toBe(1);
    stage.stripe.setWebhookUrl(stage.webhookUrl());
  });

  test("a claim that hangs does not stop its lane, and the jobs it claimed run once", async () => {
    await stage.shop.worker.drain();
    const claimOfReceipts = /update "outbox" set "due_at" = \?, "lease" = \?.*mail\.receipt/s;
    const receipts = () => stage.mail.messages("gus@example.com");
    const hung = line.hold(claimOfReceipts);
    const lost = line.holdAnswer(claimOfReceipts);
    await stage.buy("gus@example.com");
    await hung.met;
    // the next claim takes the receipt, and its answer is lost too
    await lost.met;
    await eventually(receipts, (sent) => sent.length > 0);
    hung.release();
    lost.release();
    await stage.shop.worker.drain();
    expect(receipts()).toHaveLength(1);
  });

  test("a clock that differs from the database server's by more than five seconds is warned of once", async () => {
    const clock = { ahead: 4_000 };
    const lines: string[] = [];
    const ctx = {
      ...stage.ctx,
      now: () => new Date(Date.now() + clock.ahead),
      log: createLog("info", (line) => void lines.push(line)),
    };
    const watch = watchClock(ctx);
    await watch.check();
    expect(lines).toEqual([]);
    clock.ahead = 7_000;
    await watch.check();
    await watch.check();
    clock.ahead = 0;
    await watch.check();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "warn", message: "the database server's clock differs from ours" },
      { level: "info" },
    ]);
    expect(JSON.parse(lines[0] ?? "{}").milliseconds).toBeWithin(-7_000, -5_000);
  });
});

/** Ten seconds are promised; the rest allows for a busy machine. */
const mostMilliseconds = 120_000;

/** A shop process with a line of its own to the database server. */
type Shop = {
  url: URL;
  process: ShopProcess;
  line: ReturnType<typeof startTroubledLine>;
  ready: () => Promise<{ status: number; discord: string | null }>;
};

async function openTwo() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-silent-"));
  const server = await startLibsqlServer("program" in found ? found.program : "");
  const world = { ...(await startWorld(folder, { discord: true })), databaseUrl: server.url };
  await world.atDiscord("limits", { enabled: false });
  const started: Shop[] = [];
  const start = async (port: number): Promise<Shop> => {
    const line = startTroubledLine(server.url);
    const url = new URL(`http://127.0.0.1:${port}`);
    const dataDir = join(folder, `data-${port}`);
    await shareSite(dataDir);
    const process = await startShopProcess(
      { ...world, port, dataDir, shopUrl: url.origin },
      {
        DATABASE_URL: line.url,
        PUBLIC_URL: `http://localhost:${world.port}`,
        LIMITS: "public=100000/60,other=100000/60",
      },
    );
    const ready = async () => {
      const answer = await fetch(new URL("/api/ready", url), { signal: AbortSignal.timeout(5_000) }).catch(
        () => null,
      );
      const { data } = answer?.ok ? ((await answer.json()) as { data: { discord: string } }) : { data: null };
      return { status: answer?.status ?? 0, discord: data?.discord ?? null };
    };
    const shop = { url, process, line, ready };
    started.push(shop);
    return shop;
  };
  const first = await start(await freePort());
  await waitUntil(first.ready, ({ discord }) => discord === "up");
  // Stripe's webhooks go to this one
  const second = await start(world.port);
  return {
    world,
    first,
    second,
    client: createClient({ url: server.url }),
    async [Symbol.asyncDispose]() {
      for (const { process } of started) {
        process.child.kill("SIGCONT");
        await process.kill();
      }
      await world.stop();
      await server.stop();
      for (const { line } of started) line.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe.skipIf("missing" in found)("two processes on a libSQL server", () => {
  let stage: Awaited<ReturnType<typeof openTwo>>;
  let most = 0;
  let watching: Timer;
  beforeAll(async () => {
    stage = await openTwo();
    watching = setInterval(() => {
      // the simulator is gone if a story has failed
      discord("state").then(
        ({ bot }) => (most = Math.max(most, bot.connections)),
        () => clearInterval(watching),
      );
    }, 50);
  });
  afterAll(async () => {
    clearInterval(watching);
    stage.client.close();
    await stage[Symbol.asyncDispose]();
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
  const discord = (action: string, body?: object): Promise<any> => stage.world.atDiscord(action, body);
  const valueOf = async (sql: string, args: string[] = []) =>
    (await stage.client.execute({ sql, args })).rows[0]?.[0];
  const holderOf = (lease: string) => valueOf("SELECT holder FROM leases WHERE name = ?", [lease]);

  /** The process that runs the bot, and the other one. */
  async function roles(): Promise<{ holder: Shop; other: Shop }> {
    const { first, second } = stage;
    const [ofFirst] = await waitUntil(
      async () => [(await first.ready()).discord, (await second.ready()).discord],
      (states) => states.map(String).toSorted().join() === "elsewhere,up",
    );
    return ofFirst === "up" ? { holder: first, other: second } : { holder: second, other: first };
  }

  async function buy(shop: Shop, email: string) {
    const buyer = new Person(() => shop.url);
    // a request that meets the silent line is refused after a while, and sent again
    const opened = await waitUntil(
      () => buyer.post("/api/stripe/create-checkout-session", { currency: "usd" }),
      ({ status }) => status === 200,
    );
    const session: string = opened.body.data.id;
    const pay = () => stage.world.atStripe("pay", { session, email });
    const look = () => buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
    return { buyer, session, pay, look };
  }

  /** The time from the fault until `what` holds. */
  async function within(since: number, what: string, when: Promise<unknown>): Promise<void> {
    await when;
    const milliseconds = performance.now() - since;
    console.log(`${what}: ${(milliseconds / 1000).toFixed(1)} s after the fault`);
    expect(milliseconds).toBeLessThan(mostMilliseconds);
  }

  test("after both connections fall silent, purchases are soon stored and mailed once, and both processes are ready", async () => {
    const { first, second, world } = stage;
    const shops = [first, second];
    const before = await buy(second, "before@example.com");
    await Promise.all(shops.flatMap(({ ready }) => Array.from({ length: 8 }, ready)));
    most = 0;
    for (const { line } of shops) line.fallSilent();
    const since = performance.now();
    await before.pay();
    const people = await Promise.all(shops.map((shop) => buy(shop, `after-${shop.url.port}@example.com`)));
    await within(since, "customers could buy", Promise.all(people.map(({ pay }) => pay())));
    await within(
      since,
      "the receipts were sent",
      waitUntil(
        () => valueOf("SELECT count(*) FROM payments WHERE receipt_sent_at IS NOT NULL"),
        (sent) => sent === 3,
      ),
    );
    await within(
      since,
      "both were ready",
      waitUntil(
        async () => (await Promise.all(shops.map(({ ready }) => ready()))).map(({ status }) => status).join(),
        (states) => states === "200,200",
      ),
    );
    await within(since, "the bot was connected", roles());
    const seen = await Promise.all([before, ...people].map(({ look }) => look()));
    for (const { body } of seen) expect(body.data.license_key).toMatch(/^WISP-/);
    expect(await valueOf("SELECT count(*) FROM licences")).toBe(3);
    await waitUntil(
      () => valueOf("SELECT count(*) FROM outbox"),
      (left) => left === 0,
    );
    const { paid, lost, duplicated, receiptsLost, repeated } = await auditOrders(world);
    expect({ paid, lost, duplicated, receiptsLost, repeated }).toEqual({
      paid: 3,
      lost: [],
      duplicated: [],
      receiptsLost: [],
      repeated: [],
    });
    expect(most).toBe(1);
  });

  test("a process suspended between two statements resumes without creating a second thread or giving a role from stale data", async () => {
    const { holder, other } = await roles();
    const { id: user } = await discord("members", { username: "mia" });
    const { buyer, session, pay, look } = await buy(other, "mia@example.com");
    await pay();
    const { body } = await waitUntil(look, (seen) => seen.body.data.license_key !== null);
    expect((await buyer.register(body.data.license_key, "mia")).status).toBe(200);
    await buyer.prove();
    const asked = await buyer.get("/api/functions/get-discord-oauth-url");
    const { redirect } = await discord("authorize", { url: asked.body.url, user });
    const { code, state } = Object.fromEntries(new URL(redirect).searchParams);

    const role = holder.line.holdAnswer(new RegExp(`from "links".*"${user}"`, "s"));
    const linking = buyer.post("/api/discord/auth/callback", { code, state });
    await role.met;
    const thread = holder.line.holdAnswer(/update "tickets" set "thread_asked_at"/);
    await openTicket("sam");
    await thread.met;
    holder.process.child.kill("SIGSTOP");
    // the answers wait where the stopped process will find them
    role.release();
    thread.release();
    const since = performance.now();
    await linking;
    await stage.world.atStripe("refund", { session });
    await look();
    await waitUntil(other.ready, (now) => now.discord === "up");
    const threadId = await waitUntil(
      () => valueOf("SELECT thread_id FROM tickets WHERE greeting_id IS NOT NULL"),
      (made) => typeof made === "string",
    );
    await waitUntil(
      () => valueOf("SELECT count(*) FROM outbox"),
      (left) => left === 0,
    );
    console.log(`taken over ${((performance.now() - since) / 1000).toFixed(1)} s after it was stopped`);

    const woken = performance.now();
    holder.process.child.kill("SIGCONT");
    await within(
      woken,
      "it was ready",
      waitUntil(holder.ready, (now) => now.status === 200 && now.discord === "elsewhere"),
    );
    await waitUntil(
      () => valueOf("SELECT count(*) FROM outbox"),
      (left) => left === 0,
    );
    const { threads } = await discord("state");
    expect(threads.map(({ id }: { id: string }) => id)).toEqual([threadId]);
    expect(await valueOf("SELECT thread_id FROM tickets")).toBe(threadId);
    expect((await discord("holders")).holders).toEqual([]);
    expect((await roles()).holder).toBe(other);
    expect((await discord("state")).bot.connections).toBe(1);
  });

  test("a process with a slow connection leaves the bot and the periodic jobs to the other", async () => {
    const { holder: slow, other } = await roles();
    most = 0;
    slow.line.delay(1_500);
    const since = performance.now();
    await within(
      since,
      "the bot was taken over",
      waitUntil(other.ready, (now) => now.discord === "up"),
    );
    const bots = await holderOf("discord-bot");
    // it keeps asking for the leases, and gets neither
    await Bun.sleep(6_000);
    expect(await holderOf("discord-bot")).toBe(bots);
    // on a busy machine one request may stay unanswered
    await waitUntil(other.ready, (now) => now.discord === "up");
    // none of them has ended for good; on a busy machine a renewal may come late
    await waitUntil(
      () => valueOf("SELECT min(until) FROM leases"),
      (until) => Number(until) > Date.now(),
    );
    slow.line.delay(0);
    await waitUntil(slow.ready, (now) => now.status === 200 && now.discord === "elsewhere");
    expect(most).toBe(1);
  });

  /** From the panel to the form. */
  async function openTicket(member: string): Promise<void> {
    const panel = await waitUntil(
      async () => (await discord("channels/support/messages")).messages[0],
      (one) => one !== undefined,
    );
    // a bot that does not answer in Discord's three seconds is asked again
    const press = (button: object) =>
      waitUntil(
        () => discord("interact/button", { user: member, ...button }).catch(() => null),
        (answer) => answer !== null && answer.messages.length > 0,
      );
    const offered = await press({ message: panel.id, custom_id: "ticket-topic:other" });
    const { interaction } = await discord("interact/button", {
      user: member,
      message: offered.messages[0].id,
      label: "Open a ticket",
    });
    void discord("interact/modal", {
      user: member,
      interaction,
      fields: { text: "Help" },
      timeout_ms: 1_500,
    }).catch(() => {});
  }
});
