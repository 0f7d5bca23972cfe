import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { waitForCommands, waitForReconciliations } from "../../support/people/discord";
import { seededRandom } from "../../crash/random";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const token = "a-token-for-prometheus";
const env = { METRICS_TOKEN: token };
const pages = async () => () => new Response("a page");
const scrape = (stage: Stage, bearing = token) =>
  fetch(new URL("/metrics", stage.url), { headers: { authorization: `Bearer ${bearing}` } });
const read = async (stage: Stage) => (await scrape(stage)).text();
const value = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );
const seriesOf = (text: string, family = "") =>
  text.split("\n").filter((line) => line.startsWith(family) && line !== "" && !line.startsWith("#"));

test("metrics need the configured token", async () => {
  await using stage = await openStage({ env });
  const answer = await scrape(stage);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  expect((await scrape(stage, "another-token-of-somebody")).status).toBe(401);
  expect((await stage.person().get("/metrics")).status).toBe(401);
  await using closed = await openStage();
  expect((await scrape(closed)).status).toBe(404);
});

test("the metrics are named as Prometheus wants, and tell of the database, the bot and its commands from the start", async () => {
  await using stage = await openStage({ env, discord: true });
  await waitForCommands(stage);
  await stage.buy();
  await stage.person().get("/api/user/me");
  await stage.atDiscord("interact/slash", { user: "ada", command: "premium" });
  await waitForReconciliations(stage);
  const text = await read(stage);
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  expect(new Set(families.map(([, name]) => name)).size).toBe(families.length);
  for (const [, name = "", type] of families) {
    expect(name).toStartWith("latchkey_");
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    // present once there is something to report
    if (type !== "counter" && !name.startsWith("latchkey_outbox"))
      expect([name, seriesOf(text, name).length > 0]).toEqual([name, true]);
  }
  expect(text).toContain("# TYPE latchkey_survey_differences ");
  expect(value(text, 'latchkey_discord_state{state="up"}')).toBe(1);
  expect(seriesOf(text, "latchkey_discord_identifies_left").map((line) => line.split(" ").at(-1))).toEqual([
    "49",
    "899",
  ]);
  expect(seriesOf(text, "latchkey_tickets_open")).toHaveLength(2);
  expect(seriesOf(text, "latchkey_interactions_total")).toEqual([
    'latchkey_interactions_total{kind="command",name="premium",outcome="answered"} 1',
  ]);
});

test("a thousand made-up paths create no series", async () => {
  await using stage = await openStage({
    env: { ...env, LIMITS: "other=1000000/60,public=1000000/60" },
    pages,
  });
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"];
  const ask = (method: string, path: string) =>
    fetch(new URL(path, stage.url), { method, headers: { "sec-fetch-site": "same-origin" } }).then((answer) =>
      answer.arrayBuffer(),
    );
  const series = async () => seriesOf(await read(stage)).length;
  const dice = seededRandom(4);
  const word = () =>
    Array.from({ length: dice.whole(1, 12) }, () =>
      dice.pick("a b c x y z 0 9 . - _ ~ %41 é".split(" ")),
    ).join("");
  const wander = async () => {
    for (let asked = 0; asked < 1_000; asked += 1) {
      const start = dice.pick([
        "/api/",
        "/",
        "/assets/",
        "/api/tickets/",
        "/api/app/v1/update/",
        "/api/auth/",
      ]);
      const path = start + Array.from({ length: dice.whole(1, 3) }, word).join("/");
      await ask(dice.pick(methods), `${encodeURI(path)}?${word()}=${word()}`);
    }
    return series();
  };
  const before = await wander();
  const after = await wander();
  console.log(`series: ${before} after 1,000 made-up paths, ${after} after 1,000 others`);
  // each route that is called for the first time has a dozen buckets; a thousand paths would have twelve thousand
  expect(after - before).toBeLessThanOrEqual(100);
});

test("requests are counted by route pattern, and nothing from a client is a label", async () => {
  await using stage = await openStage({ env });
  const visitor = stage.person();
  await visitor.get("/api/version/logs");
  await visitor.get("/api/version/logs");
  await visitor.get("/api/made-up-canary?license_key=canary");
  await visitor.send("PURGE", "/api/version/logs");
  const text = await read(stage);
  const requests = (route: string, status: number) =>
    value(text, `latchkey_requests_total{method="GET",route="${route}",status="${status}"}`);
  expect(requests("/api/version/logs", 200)).toBe(2);
  expect(requests("/api/*", 404)).toBe(1);
  expect(text).not.toContain("canary");
  expect(text).not.toContain("PURGE");
  expect(value(text, 'latchkey_request_seconds_count{route="/api/version/logs"}')).toBe(2);
});

test("a sale appears as its lag, its email and its job; an unreachable mail server as failures", async () => {
  await using stage = await openStage({ env });
  await stage.buy();
  const sent = await eventually(
    () => read(stage),
    (text) => value(text, 'latchkey_mail_total{result="sent"}') === 1,
  );
  expect(value(sent, "latchkey_settle_lag_seconds")).toBeLessThan(10);
  await eventually(
    () => read(stage),
    (text) => value(text, 'latchkey_jobs_total{topic="mail.receipt",result="done"}') === 1,
  );
  stage.mail.setFaults({ mode: "refuse-connection" });
  await stage.buy();
  const failing = await eventually(
    () => read(stage),
    (text) => value(text, 'latchkey_outbox_failing{topic="mail.receipt"}') === 1,
  );
  expect(value(failing, 'latchkey_mail_state{state="away"}')).toBe(1);
  const ready = await stage.person().get("/api/ready");
  expect(ready).toMatchObject({ status: 200, body: { data: { database: "up", mail: "away" } } });
});

test("the days that a bank takes for a delayed payment don't count as lag", async () => {
  await using stage = await openStage({ env, webhooks: false });
  const buyer = stage.person();
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  const session: string = opened.body.data.id;
  const verify = () => buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  await stage.atStripe("pay", { session, email: "slow@example.com", outcome: "processing" });
  expect((await verify()).body.data.status).toBe("Payment Pending");
  stage.advance(3 * day);
  await stage.atStripe("settle", { session, outcome: "succeed" });
  expect((await verify()).body.data.status).toBe("Payment Successful");
  expect(value(await read(stage), "latchkey_settle_lag_seconds")).toBeLessThan(10);
});

test("readiness is reported as states, and as figures only to the operator's monitoring", async () => {
  await using stage = await openStage({ env });
  stage.mail.setFaults({ mode: "reject-4xx", at: "sender" });
  await stage.buy();
  const ready = async (bearer: Record<string, string> = {}) =>
    (await stage.person().get("/api/ready", bearer)).body.data;
  const states = ["database", "discord", "mail", "migrations"];
  expect(Object.keys(await ready()).toSorted()).toEqual(states);
  expect(Object.keys(await ready({ authorization: "Bearer a guess" })).toSorted()).toEqual(states);
  expect(await ready({ authorization: `Bearer ${token}` })).toMatchObject({
    database: "up",
    waiting_jobs: 1,
    oldest_job_seconds: expect.any(Number) as number,
    stuck_jobs: 0,
  });
  await using closed = await openStage();
  const guessed = await closed.person().get("/api/ready", { authorization: "Bearer null" });
  expect(Object.keys(guessed.body.data).toSorted()).toEqual(states);
});

test("every request has one log line without its query, and its response carries the line's id", async () => {
  await using stage = await openStage();
  const visitor = stage.person();
  const { headers } = await visitor.get("/api/stripe/verify-payment?session_id=cs_canary");
  const id = headers.get("x-request-id");
  const lines = stage.lines.map((line) => JSON.parse(line)).filter((line) => line.request === id);
  expect(lines).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      message: "request",
      request: id,
      method: "GET",
      route: "/api/stripe/verify-payment",
      status: 404,
      code: "payment_unknown",
      milliseconds: expect.any(Number),
    },
  ]);
  expect(stage.lines.join("\n")).not.toContain("canary");
  const other = await visitor.get("/api/health");
  expect(other.headers.get("x-request-id")).not.toBe(id);
});

test("request ids don't reveal how many requests came in between", async () => {
  await using stage = await openStage();
  const visitor = stage.person();
  const ids = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await visitor.get("/api/health")).headers.get("x-request-id") ?? "",
    ),
  );
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(20);
});
