import { expect, test } from "bun:test";
import { createLog, type LogFields } from "@/core/log/log";
import { connect, customer, waitForCommands } from "../../support/people/discord";
import { openDesk, ask, panelOf, press } from "../../support/people/tickets";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";

type Line = LogFields & { message: string };
const linesOf = (stage: Stage, message: string): Line[] =>
  stage.lines.map((line): Line => JSON.parse(line)).filter((line) => line.message === message);

/** Waits for a line about a job of this topic. */
async function jobOf(stage: Stage, topic: string): Promise<Line> {
  const seen = await eventually(
    () => linesOf(stage, "job").filter((line) => line.topic === topic),
    (all) => all.length > 0,
  );
  return seen.at(-1) ?? { message: "" };
}

test("a sale's webhook, email and notice share one id in the log", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  await stage.atStripe("pay", { session: opened.body.data.id, email: "ada@example.com" });
  const receipt = await jobOf(stage, "mail.receipt");
  const notice = await jobOf(stage, "staff.sale");
  const [asked] = linesOf(stage, "request").filter(({ request }) => request === receipt.request);
  expect(asked).toMatchObject({ method: "POST", route: "/api/stripe/webhook", status: 200 });
  expect(notice.request).toBe(receipt.request);
  expect(receipt).toMatchObject({ attempts: 1, milliseconds: expect.any(Number) });
});

test("a failed request is logged with the lines of the shop's code where it failed, and without what was sent", async () => {
  await using stage = await openStage();
  await stage.ctx.store.client.execute("DROP TABLE news");
  const { status, headers } = await stage.person().get("/api/version/logs?typed=canary");
  expect(status).toBe(500);
  const [line] = linesOf(stage, "a request failed");
  expect(line).toMatchObject({ request: headers.get("x-request-id"), route: "/api/version/logs" });
  expect(line?.reason).toContain("SqliteError");
  expect(line?.at).toMatch(/^query of news ← src\/core\/database\/[\w-]+\.ts:\d+/);
  expect(stage.lines.join("\n")).not.toContain("canary");
});

test("a failing email keeps the id of its cause through every attempt", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  await stage.shop.worker.drain();
  stage.mail.setFaults({ mode: "reject-4xx", times: 1 });
  const person = stage.person();
  const { headers } = await person.get("/api/user/password/forgot?email=nobody@example.com&code=");
  expect(headers.get("x-request-id")).toBeTruthy();
  const changed = await ada.post("/api/user/password/reset", {
    old_password: "a long enough phrase",
    new_password: "another long enough phrase",
    security_code: "",
  });
  expect(changed.status).toBe(200);
  const id = changed.headers.get("x-request-id");
  const failed = await eventually(
    () => linesOf(stage, "a job failed and will be retried"),
    (all) => all.length > 0,
  );
  expect(failed[0]?.request).toBe(id ?? "none");
  stage.advance(5_000);
  stage.shop.worker.wake();
  expect((await jobOf(stage, "mail.security-notice")).request).toBe(id ?? "none");
});

test("redeeming a key, in Discord or on the site, and the role change share one id", async () => {
  await using stage = await openStage({ discord: true });
  await waitForCommands(stage);
  const { person } = await customer(stage, "tim", 5);
  await connect(stage, person, "tim");
  const { interaction } = await stage.atDiscord("interact/slash", { user: "tim", command: "redeem" });
  const key = await stage.handOut(5);
  await stage.atDiscord("interact/modal", { user: "tim", interaction, fields: { key } });
  const used = linesOf(stage, "interaction");
  expect(used).toMatchObject([
    { kind: "command", name: "redeem", outcome: "form" },
    { kind: "form", name: "redeem", outcome: "answered", milliseconds: expect.any(Number) },
  ]);
  expect(used[0]?.request).not.toBe(used[1]?.request);
  const reconciledUnder = (id: string) =>
    eventually(
      () => linesOf(stage, "job").filter(({ request }) => request === id),
      (all) => all.some(({ topic }) => topic === "member.reconcile"),
    );
  await reconciledUnder(used[1]?.request ?? "none");
  const redeemed = await person.post("/api/licenses/redeem", {
    key: await stage.handOut(5),
    timezone: "UTC",
  });
  await reconciledUnder(redeemed.headers.get("x-request-id") ?? "none");
});

test("the log never contains what people type in Discord, only the kind of interaction and its outcome", async () => {
  await using stage = await openDesk({ env: { METRICS_TOKEN: "a-token-for-prometheus" } });
  await customer(stage, "ada");
  const { interaction } = await stage.atDiscord("interact/slash", { user: "ada", command: "redeem" });
  const fields = { key: "canary-of-a-key" };
  await stage.atDiscord("interact/modal", { user: "ada", interaction, fields });
  await ask(stage, "ada", { text: "canary-of-a-question" });
  const panel = await panelOf(stage);
  await press(stage, "ada", panel.id, "ticket-close:canary-of-a-button").catch(() => {});
  await press(stage, "ada", panel.id, "canary-of-a-name:1").catch(() => {});
  const used = linesOf(stage, "interaction").map(({ kind, name, outcome }) => `${kind} ${name} ${outcome}`);
  expect(used.slice(0, 2)).toEqual(["command redeem form", "form redeem answered"]);
  expect(used).toContain("form ticket-question answered");
  expect(stage.lines.join("\n")).not.toContain("canary");
  const metrics = await fetch(new URL("/metrics", stage.url), {
    headers: { authorization: "Bearer a-token-for-prometheus" },
  });
  const text = await metrics.text();
  expect(text).not.toContain("canary");
  expect(text.match(/^latchkey_interactions_total\{/gm)?.length).toBeGreaterThan(3);
});

test("a refused request is logged with its code: a wrong guess, missing access, an invalid body", async () => {
  await using stage = await openStage();
  const eve = stage.person();
  await eve.post("/api/auth/login", { username: "ada", password: "a guess" });
  await eve.post("/api/auth/login", { username: "ada" });
  await eve.post("/api/auth/logout", {}, { "sec-fetch-site": "cross-site" });
  await eve.get("/api/user/me");
  await eve.get("/api/download/mac");
  await eve.get("/api/app/v1/update/mac", { authorization: "Bearer made-up" });
  await eve.post("/api/stripe/webhook", {}, { "stripe-signature": "t=1,v1=00" });
  await eve.get("/api/health");
  const requests = linesOf(stage, "request").map(({ route, status, code }) => [route, status, code]);
  expect(requests).toEqual([
    ["/api/auth/login", 401, "credentials_invalid"],
    ["/api/auth/login", 400, "invalid_field"],
    ["/api/*", 403, "cross_site"],
    ["/api/user/me", 401, "unauthenticated"],
    ["/api/download/mac", 401, "unauthenticated"],
    ["/api/app/v1/update/:platform", 401, "NO_LICENSE"],
    ["/api/stripe/webhook", 400, "webhook_signature_invalid"],
    ["/api/health", 200, undefined],
  ]);
});

test("a page is logged by its route, and a made-up path without one", async () => {
  await using stage = await openStage({ pages: async () => () => new Response("a page") });
  const visitor = stage.person();
  for (const path of ["/dashboard/license?canary=1", "/canary", "/assets/canary.js"]) await visitor.get(path);
  const routes = linesOf(stage, "request").map(({ method, route, status }) => `${method} ${route} ${status}`);
  expect(routes).toEqual(["GET /dashboard/license 200", "GET /* 200", "GET /assets/* 200"]);
  expect(stage.lines.join("\n")).not.toContain("canary");
});

test("a field unknown to the log is not written, whatever it was cast to", () => {
  const written: string[] = [];
  const log = createLog("info", (line) => void written.push(line));
  const smuggled = { topic: "mail.receipt", password: "canary", request: { key: "canary" }, count: "canary" };
  log.info("said", smuggled as unknown as LogFields);
  expect(JSON.parse(written[0] ?? "")).toEqual({
    time: expect.any(String),
    level: "info",
    message: "said",
    topic: "mail.receipt",
  });
});
