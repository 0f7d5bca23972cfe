import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Received } from "@/simulators/webhooks/inbox";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { runProcess } from "../../support/operator/run-process";
import { operateAlone } from "../../support/operator/run-operator";
import { shareSite } from "../../support/shop/shared-site";

test("the demo's receiver verifies events about its customers, also after a start on other ports", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-demo-"));
  await shareSite(join(dataDir, "demo"));
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

test("the demo lets a real shop's data be, says how that starts, and commands find either", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-demo-"));
  await shareSite(join(dataDir, "demo"));
  try {
    {
      await using demo = await startDemo(dataDir, { DATABASE_URL: `file:${join(dataDir, "shop.db")}` });
      expect(await demo.line(/real shop/)).toBe("  `npm run shop setup` sets up a real shop.");
      expect(demo.settings).toMatchObject({ DATA_DIR: join(dataDir, "demo"), DATABASE_URL: "" });
      expect((await operateAlone({ DATA_DIR: dataDir }, "offers", "list")).code).toBe(0);
    }
    expect(await readdir(dataDir)).toEqual(["demo"]);
    const kept = await readdir(join(dataDir, "demo"));
    expect(kept).toEqual(expect.arrayContaining(["builds", "secret.key", "shop.db", "simulators", "site"]));

    writeSettingsFile(dataDir, { MAIL_FROM: "not read by the demo" });
    await using demo = await startDemo(dataDir);
    expect(await demo.line(/real shop/)).toBe(
      `  A real shop is set up in ${dataDir}; \`NODE_ENV=production npm start\` starts it.`,
    );
    writeSettingsFile(dataDir, { CURRENCY: "eur" });
    const real = await operateAlone({ DATA_DIR: dataDir }, "offers", "list");
    expect(real.err).toBe(`There is no shop in ${dataDir}: set DATA_DIR, or start the shop once first.\n`);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test("a demo's database never becomes a real shop", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-demo-"));
  await shareSite(join(dataDir, "demo"));
  try {
    const settings = await startDemo(dataDir).then(async (demo) => {
      await using _ = demo;
      return demo.settings;
    });
    const env = {
      ...settings,
      NODE_ENV: "production",
      PUBLIC_URL: "https://shop.example.com",
      MAIL: "off",
      DISCORD: "off",
    };
    const sentence =
      "This database is a demo's, whose sales nobody has paid: use another folder or database for a real shop.\n";
    const started = await runProcess([process.execPath, "src/main.ts"], {
      env: { PATH: process.env["PATH"] ?? "", ...env, PORT: "0" },
    });
    expect(started).toMatchObject({ code: 1, err: sentence });

    const [backup, other] = [join(dataDir, "kept"), join(dataDir, "other")];
    expect((await operateAlone(env, "backup", "--to", backup)).code).toBe(0);
    const SECRET_KEY = await Bun.file(join(dataDir, "demo", "secret.key")).text();
    const restored = { ...env, DATA_DIR: other, SECRET_KEY };
    const why = ["--reason", "a story"];
    const taken = await operateAlone(restored, "restore", backup, "--no-reconcile", "--take-over", ...why);
    expect(taken).toMatchObject({ code: 1, err: sentence });
    expect(await readdir(other)).not.toContain("shop.db");
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

/** The whole demo as its user starts it; knows what it prints. */
async function startDemo(dataDir: string, env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: join(import.meta.dir, "../../.."),
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: "0", ...env },
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
    async line(isOf: RegExp): Promise<string> {
      for (;;) {
        const found = printed
          .split("\n")
          .slice(0, -1)
          .find((line) => isOf.test(line));
        if (found !== undefined) return found;
        printed += (await pieces.read()).value ?? "";
      }
    },
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
