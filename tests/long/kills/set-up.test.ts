import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBrand } from "@/brand/read";
import { fileClient } from "@/core/database/file-client";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { type StripeSimulator, startStripeSimulator } from "@/simulators/stripe/simulator";
import { openMachine, stripeAnswers } from "../../support/operator/set-up";
import { root } from "../../support/operator/run-process";

type Machine = Awaited<ReturnType<typeof openMachine>>;

let stripe: StripeSimulator;
beforeAll(async () => void (stripe = await startStripeSimulator({ seed: 1 })));
afterAll(() => stripe.stop());

/** Starts set-up in a process of its own. */
async function start({ env, answered }: Machine, more: Record<string, string> = {}) {
  const preload = join(root, "tests/crash/killed-writing.ts");
  const { words } = await answered();
  return Bun.spawn([process.execPath, "--preload", preload, "src/operator/main.ts", ...words], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...env, ...more },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

/** Runs set-up to its end: one brand, one endpoint with the secret that the settings have, and nothing left over. */
async function expectEndsWell(machine: Machine): Promise<void> {
  expect(await machine.setUp()).toMatchObject({ code: 0, err: "" });
  const { STRIPE_WEBHOOK_SECRET: secret = "" } = machine.settings();
  const listed = await fetch(`${stripe.url}/v1/webhook_endpoints`, {
    headers: { authorization: `Bearer ${stripe.secretKey}` },
  });
  const { data } = (await listed.json()) as { data: { url: string; metadata: Record<string, string> }[] };
  const ours = data.filter(({ url }) => url === `${machine.address}/api/stripe/webhook`);
  expect(ours.map(({ metadata }) => metadata["secret"])).toEqual([
    createHash("sha256").update(secret).digest("hex").slice(0, 16),
  ]);
  expect(readBrand(join(machine.dataDir, "brand")).product).toBe("Brushwork");
  expect(readdirSync(machine.dataDir).filter((name) => /\.(new|draft)/.test(name))).toEqual([]);
}

test("set-up goes on after a kill before any file takes its place", async () => {
  await using machine = await openMachine(stripeAnswers(stripe));
  for (let point = 1, code: number | null = null; code !== 0; point += 1) {
    const before = machine.settings();
    code = await (await start(machine, { KILLED_AT: `renameSync@${point}` })).exited;
    expect([0, 137]).toContain(code);
    expect(machine.settings()).toMatchObject(before);
    if (code === 0) expect(point).toBeGreaterThan(8);
  }
  await expectEndsWell(machine);
});

test("set-up goes on after a kill at any call about the endpoint, which ends as one", async () => {
  let [left, kill] = [0, () => Promise.resolve()];
  using line = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === "POST" ? await request.text() : undefined;
      const answer = await fetch(`${stripe.url}${pathname}${search}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const asksPermission = search === "?limit=1" || pathname.endsWith("/we_none");
      const isCounted = pathname.startsWith("/v1/webhook_endpoints") && !asksPermission;
      if (isCounted && (left -= 1) === 0) await kill();
      return new Response(await answer.text(), {
        status: answer.status,
        headers: { "content-type": "application/json" },
      });
    },
  });
  await using machine = await openMachine({ ...stripeAnswers(stripe), STRIPE_API_URL: line.url.origin });
  await expectEndsWell(machine);
  for (let point = 1, code: number | null = null; code !== 0; point += 1) {
    await forgetEndpoint(machine);
    const before = machine.settings();
    const child = await start(machine);
    left = point;
    kill = async () => {
      child.kill("SIGKILL");
      await child.exited;
    };
    code = await child.exited;
    left = 0;
    const { STRIPE_WEBHOOK_SECRET: _, ...others } = machine.settings();
    expect(others).toEqual(before);
    // list, create, mark, list, delete; and doctor's own
    if (code === 0) expect(point).toBe(7);
    else await expectEndsWell(machine);
  }
});

/** So that the next set-up makes another in its place. */
async function forgetEndpoint(machine: Machine): Promise<void> {
  const { STRIPE_WEBHOOK_SECRET: _, ...others } = machine.settings();
  writeSettingsFile(machine.dataDir, others);
  const client = fileClient(join(machine.dataDir, "shop.db"), 1_000);
  await client.execute("DELETE FROM stripe_endpoints");
  client.close();
}
