import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Received } from "@/simulators/webhooks/inbox";
import { operateAlone } from "../../support/operator/run-operator";
import { shareSite } from "../../support/shop/shared-site";

test("the demo's receiver verifies events about its customers, also after a start on other ports", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-demo-"));
  await shareSite(dataDir);
  try {
    {
      await using demo = await startDemo(dataDir);
      const first = await demo.received(({ type }) => type === "license.redeemed");
      expect(first.map(({ problem }) => problem)).toEqual(first.map(() => null));
      expect(first.map(({ type }) => type)).toEqual(expect.arrayContaining(["order.paid", "license.issued"]));
    }
    await using demo = await startDemo(dataDir);
    const listed = await operateAlone(demo.settings, "webhooks", "list", "--json");
    const all = JSON.parse(listed.out) as { id: string; url: string }[];
    expect(all.map(({ url }) => url)).toEqual([new URL("/webhooks", demo.receiver).href]);
    await operateAlone(demo.settings, "webhooks", "test", all[0]?.id ?? "", "--reason", "a story");
    const later = await demo.received(({ type }) => type === "webhook.test");
    expect(later.find(({ type }) => type === "webhook.test")).toMatchObject({
      problem: null,
      answered: "204",
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

/** The whole demo as its user starts it; knows what it prints. */
async function startDemo(dataDir: string) {
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: join(import.meta.dir, "../../.."),
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  let printed = "";
  const pieces = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  // read on by nobody afterwards, and not cancelled, which would end the demo
  while (!/^ +export .*\n/m.test(printed)) printed += (await pieces.read()).value ?? "";
  const [, line = ""] = /^ +export (.*)$/m.exec(printed) ?? [];
  const [, receiver = ""] = /Webhooks, as another system receives them: (\S+)/.exec(printed) ?? [];
  return {
    receiver,
    settings: Object.fromEntries(
      [...line.matchAll(/(\w+)='([^']*)'/g)].map(([, name, value]) => [name, value]),
    ),
    /** What its receiver got, the newest first, once one of it is what is waited for. */
    async received(isAwaited: (one: ReceivedEvent) => boolean): Promise<ReceivedEvent[]> {
      for (;;) {
        const answer = await fetch(new URL("/_control/received", receiver));
        const { received } = (await answer.json()) as { received: Received[] };
        const events = received.map((one) => ({
          ...one,
          type: (JSON.parse(one.body) as ReceivedEvent).type,
        }));
        if (events.some(isAwaited)) return events;
        await Bun.sleep(50);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

type ReceivedEvent = Received & { type: string };
