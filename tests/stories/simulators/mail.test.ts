import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";

let simulator: MailSimulator;
beforeEach(async () => {
  simulator = await startMailSimulator();
});
afterEach(() => simulator.stop());

test("the mailbox cannot be cleared or given faults by another site", async () => {
  await createTransport(simulator.smtpUrl).sendMail(email("hello"));
  const headers = { "sec-fetch-site": "cross-site" };
  for (const path of ["/_do/clear", "/_control/clear", "/_control/faults"]) {
    expect((await fetch(simulator.url + path, { method: "POST", headers })).status).toBe(403);
  }
  expect(simulator.messages()).toHaveLength(1);
  expect((await clear(simulator.url)).status).toBe(200);
  expect(simulator.messages()).toHaveLength(0);
});

test("the program prints where it listens, keeps its mail through a kill, and stops on SIGTERM", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "mailbox-"));
  try {
    const first = await program(dataDir);
    await createTransport(first.smtpUrl).sendMail(email("kept"));
    first.child.kill("SIGKILL");
    await first.child.exited;
    const second = await program(dataDir);
    await createTransport(second.smtpUrl).sendMail(email("added"));
    const { messages } = await (await fetch(`${second.url}/_control/messages`)).json();
    expect(messages.map(({ id, subject }: Record<string, string>) => [id, subject])).toEqual([
      ["000002", "added"],
      ["000001", "kept"],
    ]);
    await clear(second.url);
    expect(await readdir(dataDir)).toEqual([]);
    second.child.kill("SIGTERM");
    expect(await second.child.exited).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test("the program says in one sentence why it cannot start", async () => {
  const child = spawn(["--smtp-port", new URL(simulator.smtpUrl).port]);
  expect(await child.exited).toBe(1);
  expect(await new Response(child.stderr).text()).toMatch(/^The simulator can't start: .+\n$/);
});

function spawn(args: string[]) {
  const main = new URL("../../../src/simulators/main.ts", import.meta.url).pathname;
  return Bun.spawn([process.execPath, main, "mail", ...args], { stdout: "pipe", stderr: "pipe" });
}

async function program(dataDir: string) {
  const child = spawn(["--data-dir", dataDir]);
  const reader = child.stdout.getReader();
  let line = "";
  while (!line.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the simulator ended: ${await new Response(child.stderr).text()}`);
    line += new TextDecoder().decode(value);
  }
  const { ready, smtpUrl, url } = JSON.parse(line);
  expect(ready).toBe(true);
  return { child, smtpUrl: String(smtpUrl), url: String(url) };
}

const email = (subject: string) => ({
  from: "Shop <shop@shop.test>",
  to: "ada@example.com",
  subject,
  text: "hello",
});

const clear = (url: string) => fetch(`${url}/_control/clear`, { method: "POST", body: "{}" });
