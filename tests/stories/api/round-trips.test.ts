/** How many consecutive round trips to a database server a call waits for. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { authorize, customer } from "../../support/people/discord";

import { startCountingProxy } from "../../support/network/counting-proxy";
import { deliver, eventsOf } from "../../crash/events";
import { libsqlProgram, type LibsqlServer, startLibsqlServer } from "../../support/network/libsql-server";
import { openStage, type Stage } from "../../support/shop/stage";

const found = libsqlProgram();

describe.skipIf("missing" in found)("round trips to a libSQL server", () => {
  let server: LibsqlServer;
  let line: ReturnType<typeof startCountingProxy>;
  let stage: Stage;
  beforeAll(async () => {
    server = await startLibsqlServer("program" in found ? found.program : "");
    line = startCountingProxy(server.url);
    stage = await openStage({ env: { DATABASE_URL: line.url }, discord: true, webhooks: false });
    // only what a call asks for is counted
    const { bot, scheduler, worker } = stage.shop;
    for (const background of [bot, scheduler, worker]) await background?.stop();
    // the bot's verdict, as soon as a Discord user is linked
    await stage.ctx.store.client.execute(
      "CREATE TRIGGER seen AFTER INSERT ON links BEGIN UPDATE links SET checked_at = 1, join_wanted = 0, member = 1, held_levels = json_array('premium'); END",
    );
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    await line.stop();
    await server.stop();
  });

  /** The call's status and its round trips. */
  async function counted(call: () => Promise<{ status: number }>) {
    let status = 0;
    const roundTrips = await line.roundTrips(async () => {
      status = (await call()).status;
    });
    return { status, roundTrips };
  }

  test("registering takes four", async () => {
    const key = await stage.handOut();
    const ada = stage.person();
    expect(await counted(() => ada.register(key, "ada"))).toEqual({ status: 200, roundTrips: 4 });
  });

  test("signing in takes three, from a new browser and from a known one", async () => {
    await customer(stage, "bea");
    const browser = stage.person();
    const signIn = () =>
      browser.post("/api/auth/login", { username: "bea", password: "a long enough phrase" });
    expect(await counted(signIn)).toEqual({ status: 200, roundTrips: 3 });
    expect(await counted(signIn)).toEqual({ status: 200, roundTrips: 3 });
  });

  test("settling a paid order takes two", async () => {
    const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
    await stage.atStripe("pay", { session: opened.body.data.id, email: "dora@example.com" });
    const events = await eventsOf(stage.stripe.url, stage.stripe.secretKey);
    const completed = events.find(({ type }) => type === "checkout.session.completed");
    if (!completed) throw new Error("the order was paid");
    const { webhookSecret } = stage.stripe;
    const delivered = async () => ({ status: await deliver(completed, stage.webhookUrl(), webhookSecret) });
    expect(await counted(delivered)).toEqual({ status: 200, roundTrips: 2 });
    const { rows } = await stage.ctx.store.client.execute("SELECT state FROM payments");
    expect(rows.map(({ state }) => state)).toEqual(["succeeded"]);
  });

  test("the application activates in three and validates in two", async () => {
    const { person } = await customer(stage, "eve");
    const { api_key: token } = (await person.get("/api/user/me")).body.data;
    const application = stage.person();
    const ask = (call: string, body: object) => () =>
      application.post(`/api/app/v1/${call}`, body, { authorization: `Bearer ${token}` });
    const machine = { hwid: "machine-number-one", version: "1.0.0" };
    const activate = ask("activate", { ...machine, label: "Study", os: "Linux x64" });
    expect(await counted(activate)).toEqual({ status: 200, roundTrips: 3 });
    expect(await counted(ask("validate", machine))).toEqual({ status: 200, roundTrips: 2 });
  });

  test("linking a Discord user takes five, and one to see that the role was given", async () => {
    const { person } = await customer(stage, "tim");
    const returned = await authorize(stage, person, "tim");
    const callback = () => person.post("/api/discord/auth/callback", returned);
    expect(await counted(callback)).toEqual({ status: 200, roundTrips: 6 });
  });
});
