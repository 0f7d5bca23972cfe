import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operateAlone } from "../../support/operator/run-operator";
import { shareSite } from "../../support/shop/shared-site";

/** Files as earlier releases or a damaged disk left them. */
const stored: [file: string, content: string][] = [
  ["stripe/ledger.jsonl", '[["settings",{"id":"seed","value":"1bc3275d99a97acb"}]]\n'],
  ["stripe/ledger.jsonl", '[["settings","seed",{"id":"se\n[]\n'],
  ["discord/server.jsonl", '{"users":[]}\n'],
  ["mail/000001.json", '{"id":"000001","text":"Hello"}'],
];

for (const [file, content] of stored) {
  test(`a demo says which folder to delete if it can't read ${file}: ${content.slice(0, 20).trim()}`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "latchkey-demo-"));
    const path = join(dataDir, "demo", file);
    await Bun.write(path, content);
    const child = Bun.spawn([process.execPath, "src/main.ts"], {
      cwd: join(import.meta.dir, "../../.."),
      env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: "0" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
    try {
      expect(await new Response(child.stderr).text()).toBe(
        `The demo's data is damaged or was made by another release (${path}): delete ${dataDir} to begin the demo anew.\n`,
      );
      expect(await child.exited).toBe(1);
      expect(await Bun.file(path).text()).toBe(content);
    } finally {
      child.kill("SIGKILL");
      await rm(dataDir, { recursive: true });
    }
  });
}

test("a demo prints what the command line needs in another terminal", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-demo-"));
  await shareSite(dataDir);
  const demo = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: join(import.meta.dir, "../../.."),
    env: { PATH: process.env["PATH"] ?? "", DATA_DIR: dataDir, PORT: "0" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    let output = "";
    const pieces = demo.stdout.pipeThrough(new TextDecoderStream()).getReader();
    // the output is read on: cancelling it would end the demo
    while (!/^ +export .*\n/m.test(output)) output += (await pieces.read()).value ?? "";
    const [, line = ""] = /^ +export (.*)$/m.exec(output) ?? [];
    const settings = Object.fromEntries(
      [...line.matchAll(/(\w+)='([^']*)'/g)].map(([, name, value]) => [name, value]),
    );
    const synced = await operateAlone(settings, "payments", "sync", "--reason", "a story");
    expect(synced).toMatchObject({ code: 0, err: "" });
  } finally {
    demo.kill("SIGKILL");
    await demo.exited;
    await rm(dataDir, { recursive: true });
  }
});
