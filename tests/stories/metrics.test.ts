import { expect, test } from "bun:test";
import { eventually, openStage, type Stage } from "../stage";

const token = "a-token-for-prometheus";
const env = { METRICS_TOKEN: token };
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

test("metrics are read with the configured token, and by nobody else", async () => {
  await using stage = await openStage({ env });
  const answer = await scrape(stage);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  expect((await scrape(stage, "another-token-of-somebody")).status).toBe(401);
  expect((await stage.person().get("/metrics")).status).toBe(401);
  await using closed = await openStage();
  expect((await scrape(closed)).status).toBe(404);
});

test("every line of the metrics is one that Prometheus can read", async () => {
  await using stage = await openStage({ env });
  await stage.buy();
  await stage.person().get("/api/user/me");
  for (const line of (await read(stage)).trimEnd().split("\n")) {
    expect(line).toMatch(
      /^(# (HELP|TYPE) latchkey_\w+ .+|latchkey_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?[\d.e+-]+)$/,
    );
  }
});

test("requests are counted by their route's pattern, and what a client made up is no label", async () => {
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

test("a sale shows as its lag, its letter and its job; a mail server that is away as failures", async () => {
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

test("every request has one line in the log, whose id its answer bears, and which holds no query", async () => {
  await using stage = await openStage();
  const visitor = stage.person();
  const { headers } = await visitor.get("/api/stripe/verify-payment?session_id=cs_canary");
  const id = headers.get("x-request-id");
  const lines = stage.lines.map((line) => JSON.parse(line)).filter((line) => line.request === id);
  expect(lines).toEqual([
    {
      time: expect.any(String),
      level: "info",
      message: "request",
      request: id,
      method: "GET",
      route: "/api/stripe/verify-payment",
      status: expect.any(Number),
      milliseconds: expect.any(Number),
    },
  ]);
  expect(stage.lines.join("\n")).not.toContain("canary");
  const other = await visitor.get("/api/health");
  expect(other.headers.get("x-request-id")).not.toBe(id);
});
