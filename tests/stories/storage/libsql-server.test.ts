/** The shop with its data on a libSQL server instead of in a file: the same stories have the same outcome. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { commit, isDuplicate, mustHaveChanged } from "@/core/database/commit";
import { claim } from "@/core/jobs/job-leases";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { guard, keyValues } from "@/core/database/schema";
import { startWorker } from "@/core/jobs/worker";
import { topicHandler } from "@/core/jobs/job-handlers";
import { botTopics } from "@/domain/outbox-topics";
import { sql } from "drizzle-orm";
import { libsqlProgram, type LibsqlServer, startLibsqlServer } from "../../support/network/libsql-server";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const found = libsqlProgram();
if ("missing" in found) console.log(`The libSQL server's story is left out: ${found.missing}.`);

describe.skipIf("missing" in found)("on a libSQL server", () => {
  let server: LibsqlServer;
  let stage: Stage;
  beforeAll(async () => {
    server = await startLibsqlServer("program" in found ? found.program : "");
    stage = await openStage({ env: { DATABASE_URL: server.url } });
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    await server.stop();
  });

  test("a visitor buys, receives a key by mail, registers with it and has the licence", async () => {
    const ada = stage.person();
    const opened = await ada.post("/api/stripe/create-checkout-session", { currency: "usd" });
    const session: string = opened.body.data.id;
    await stage.atStripe("pay", { session, email: "ada@example.com" });
    await stage.stripe.flush();
    const verify = () => ada.get(`/api/stripe/verify-payment?session_id=${session}`);
    const key: string = (await verify()).body.data.license_key;
    const emails = await eventually(
      () => stage.mail.messages("ada@example.com"),
      (emails) => emails.length > 0,
    );
    expect(emails[0]?.text).toContain(key);
    await eventually(verify, (seen) => seen.body.data.sent_receipt === true);

    expect((await ada.register(key, "ada")).status).toBe(200);
    expect((await ada.get("/api/user/me")).body.data).toMatchObject({
      username: "ada",
      active_license: true,
    });
    expect((await ada.get("/api/licenses/me")).body.data).toMatchObject([{ key, active: true }]);
    expect((await ada.get("/api/payments/")).body.data).toMatchObject([{ status: "succeeded" }]);
    await stage.atStripe("dispute", { session, status: "needs_response" });
    await stage.stripe.flush();
    expect((await ada.get("/api/user/me")).body.data.active_license).toBe(false);

    await ada.post("/api/auth/logout");
    expect((await ada.get("/api/user/me")).status).toBe(401);
    const again = { username: "ADA@example.com", password: "a long enough phrase" };
    expect((await ada.post("/api/auth/login", again)).status).toBe(200);
  });

  test("the same event five times sells one licence and sends one receipt", async () => {
    const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
    await stage.atStripe("faults", { webhooks: { repeat: 5 } });
    await stage.atStripe("pay", { session: opened.body.data.id, email: "five@example.com" });
    await stage.stripe.flush();
    await stage.atStripe("faults", { webhooks: { repeat: 1 } });
    await stage.shop.worker.drain();
    expect(stage.mail.messages("five@example.com")).toHaveLength(1);
  });

  test("when many redeem one key at once, one succeeds", async () => {
    const racers = 20;
    const people = await Promise.all(
      Array.from({ length: racers }, async (_, at) => {
        const person = stage.person();
        expect((await person.register(await stage.handOut(30), `racer${at}`)).status).toBe(200);
        return person;
      }),
    );
    const key = await stage.handOut(30);
    const answers = await Promise.all(
      people.map((person) => person.post("/api/licenses/redeem", { key, timezone: "UTC" })),
    );
    const outcomes = answers.map(({ status, body }) => String(body.code ?? status)).toSorted();
    expect(outcomes).toEqual(["200", ...Array<string>(racers - 1).fill("license_taken")]);
    const { rows } = await stage.ctx.store.client.execute(
      "SELECT count(*) AS n FROM audit_log WHERE action = 'licence.redeemed'",
    );
    expect(rows[0]?.["n"]).toBe(racers + 2);
  });

  test("when many register one name at once, one succeeds, and the others' keys stay unused", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => stage.handOut()));
    const body = { username: "Wanted", password: "a long enough phrase", timezone: "UTC" };
    const answers = await Promise.all(
      keys.map((key, at) =>
        stage.person().post("/api/auth/register", { ...body, key, email: `wanted${at}@example.com` }),
      ),
    );
    const outcomes = answers.map(({ status, body }) => String(body.code ?? status)).toSorted();
    expect(outcomes).toEqual(["200", ...Array<string>(7).fill("username_taken")]);
    const other = answers.findIndex(({ status }) => status !== 200);
    expect((await stage.person().register(keys[other] ?? "", "other")).status).toBe(200);
  });

  test("a commit with a failed guard writes nothing and says which guard it was", async () => {
    const { store } = stage.ctx;
    const row = (name: string) => store.db.insert(keyValues).values({ name, value: "x" });
    const none = store.db.delete(guard).where(sql`false`);
    const failed = await commit(store, [
      row("half"),
      none,
      mustHaveChanged("license_taken"),
      row("rest"),
    ]).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Refusal);
    expect(failed).toMatchObject({ code: "license_taken" });
    await commit(store, [row("once")]);
    const twice = await commit(store, [row("twice"), row("once")]).catch((error: unknown) => error);
    expect(isDuplicate(twice, "installation.name")).toBe(true);
    expect(isDuplicate(twice, "installation.value")).toBe(false);
    const { rows } = await store.client.execute(
      "SELECT name FROM installation WHERE name IN ('half', 'rest', 'once', 'twice')",
    );
    expect(rows.map(({ name }) => name)).toEqual(["once"]);
  });

  test("a killed process's receipts are sent within 20 seconds", async () => {
    // no other worker takes a job of the bot while Discord is off
    const topic = botTopics.inspectTicket;
    await commit(stage.ctx.store, [enqueue(stage.ctx, { topic, subject: "a receipt" })]);
    expect(await claim(stage.ctx, { id: "a process that is killed" }, [topic.name], 1)).toHaveLength(1);
    const sent: string[] = [];
    const worker = startWorker(stage.ctx);
    worker.add([
      topicHandler(topic, async ({ subject }) => {
        sent.push(subject);
        return [];
      }),
    ]);
    await worker.drain();
    expect(sent).toEqual([]);
    stage.advance(20_000);
    await worker.drain();
    await worker.stop();
    expect(sent).toEqual(["a receipt"]);
  });

  test("a restart finds everything as it was", async () => {
    const eve = stage.person();
    await eve.register(await stage.handOut(), "eve");
    await stage.restart();
    expect((await eve.get("/api/user/me")).body.data).toMatchObject({
      username: "eve",
      active_license: true,
    });
  });
});
