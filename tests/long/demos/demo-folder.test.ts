import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
    const demo = join(dataDir, "demo");
    const path = join(demo, "simulators", file);
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
        `The demo's data is damaged or was made by another release (${path}): delete ${demo} to begin the demo anew.\n`,
      );
      expect(await child.exited).toBe(1);
      expect(await Bun.file(path).text()).toBe(content);
    } finally {
      child.kill("SIGKILL");
      await rm(dataDir, { recursive: true });
    }
  });
}
