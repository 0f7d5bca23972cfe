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

/** A receiver that keeps the headers of what came. */
function receiver() {
  const headers: Headers[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      headers.push(new Headers(request.headers));
      return new Response();
    },
  });
  return { url: server.url.href, headers, [Symbol.asyncDispose]: () => server.stop(true) };
}

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
    expect(there.headers.at(-1)?.get("webhook-signature")?.split(" ")).toHaveLength(signatures);
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
