import { expect, test } from "bun:test";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { deliverAll } from "../../support/network/hooked";
import { openStage, type Stage } from "../../support/shop/stage";

const allowed = { WEBHOOKS_ALLOW_PRIVATE: "true" };
const why = ["--reason", "a story"];

/** Runs `shop webhooks …` with private addresses allowed; resolves to its JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
async function webhooks(stage: Stage, ...args: string[]): Promise<any> {
  const settings = { ...settingsOf(stage), ...allowed };
  const { out, err, code } = await operateWith(settings, "webhooks", ...args, "--json");
  if (code !== 0) throw new Error(`${args.join(" ")}: ${code} ${err}`);
  return JSON.parse(out);
}

/** A receiver that keeps requests as they came, and answers with these words and status. */
function receiver() {
  const requests: { headers: Record<string, string>; body: string }[] = [];
  const answer = { status: 200, text: "thanks" };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      requests.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
      return new Response(answer.text, { status: answer.status });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    requests,
    answer,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const signed = ({ headers, body }: { headers: Record<string, string>; body: string }, secret: string) => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${new Bun.CryptoHasher("sha256", key).update(content).digest("base64")}`;
};

test("an operator adds an endpoint, tests it, rotates its secret and replays, and the receiver gets it all signed", async () => {
  await using stage = await openStage({ env: allowed });
  await using there = receiver();
  const added = await webhooks(stage, "add", there.url, "--events", "ticket.opened", ...why);
  await webhooks(stage, "test", added.id, ...why);
  await deliverAll(stage);
  expect(there.requests).toHaveLength(1);
  const [first] = there.requests;
  if (!first) throw new Error("nothing arrived");
  expect(JSON.parse(first.body)).toMatchObject({ type: "webhook.test", data: { endpoint: added.id } });
  expect(first.headers["webhook-signature"]).toBe(signed(first, added.secret));

  const [delivery] = await webhooks(stage, "deliveries", added.id);
  expect(delivery).toMatchObject({ state: "delivered", status: 200, attempts: 1, type: "webhook.test" });
  expect(await webhooks(stage, "show", delivery.id)).toMatchObject({ body: first.body, answer: "thanks" });

  const next = await webhooks(stage, "rotate", added.id, ...why);
  await webhooks(stage, "replay", delivery.eventId, ...why);
  await deliverAll(stage);
  const second = there.requests[1];
  if (!second) throw new Error("nothing was replayed");
  expect(second.body).toBe(first.body);
  expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"] ?? "");
  expect(second.headers["webhook-signature"]).toBe(
    [signed(second, next.secret), signed(second, added.secret)].join(" "),
  );

  const alone = await webhooks(stage, "rotate", added.id, "--now", ...why);
  await webhooks(stage, "replay", delivery.id, ...why);
  await deliverAll(stage);
  const third = there.requests[2];
  if (!third) throw new Error("nothing was replayed");
  expect(third.headers["webhook-signature"]).toBe(signed(third, alone.secret));
  // tests are of one endpoint and one moment
  const since = await webhooks(stage, "replay", "--since", "2020-01-01", ...why);
  expect(since).toMatchObject({ events: 0, deliveries: 0 });
});

test("the former secret signs for 24 hours and no longer", async () => {
  await using stage = await openStage({ env: allowed });
  await using there = receiver();
  const { id } = await webhooks(stage, "add", there.url, ...why);
  await webhooks(stage, "rotate", id, ...why);
  for (const [hours, signatures] of [
    [23.9, 2],
    [0.2, 1],
  ] as const) {
    stage.advance(hours * 3_600_000);
    await webhooks(stage, "test", id, ...why);
    await deliverAll(stage);
    expect(there.requests.at(-1)?.headers["webhook-signature"]?.split(" ")).toHaveLength(signatures);
  }
});

test("the demo refuses an endpoint that is not on this machine, and says why", async () => {
  await using stage = await openStage();
  // a shop for which nothing but Stripe is set up has simulators for the rest
  const { SMTP_URL: _, MAIL_FROM: __, DISCORD: ___, ...demo } = settingsOf(stage);
  const run = (...args: string[]) => operateWith({ ...demo, ...allowed }, "webhooks", ...args, ...why);
  const added = await run("add", "http://127.0.0.1:1/hook", "--json");
  expect(added.code).toBe(0);
  const { id } = JSON.parse(added.out);
  for (const url of ["https://hooks.example.com/", "http://192.168.1.2/", "http://localhost.example.com/"])
    for (const args of [
      ["add", url],
      ["change", id, "--url", url],
    ]) {
      const { code, err } = await run(...args);
      expect([url, code, err]).toEqual([
        url,
        1,
        expect.stringContaining("This is the demo, which speaks to this machine alone"),
      ]);
    }
});
