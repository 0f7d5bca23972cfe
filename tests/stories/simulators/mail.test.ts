import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";

let simulator: MailSimulator;
beforeEach(async () => {
  simulator = await startMailSimulator({ now: () => new Date("2025-03-14T10:22:00Z") });
});
afterEach(() => simulator.stop());

test("the mailbox lists emails newest first, and filters them by recipient", async () => {
  await send({ to: "ada@example.com", subject: "first" });
  await send({ to: "bob@example.com", subject: "second" });
  await send({ to: "ada@example.com", subject: "third" });
  const page = await get("/?to=ADA@example.com");
  expect(page.indexOf("third")).toBeLessThan(page.indexOf("first"));
  expect(page).not.toContain("second");
  const { messages } = JSON.parse(await get("/_control/messages?to=ada@example.com"));
  expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(["third", "first"]);
});

test("the mailbox shows a picture within an email, and no other", async () => {
  await send({
    html: `<img src="cid:own@shop"><img src="cid:other@shop">`,
    attachments: [{ content: Buffer.from("GIF89a"), contentType: "image/gif", cid: "own@shop" }],
  });
  const html = await get("/messages/000001/html");
  expect(html).toContain('<img src="data:image/gif;base64,R0lGODlh"><img src="cid:other@shop">');
});

test("the mailbox shows an email in the scheme that is asked for, as mail programs in it do", async () => {
  await send({ html: "<style>@media (prefers-color-scheme: dark){p{color:red}}</style><p>x</p>" });
  expect(await get("/messages/000001/html")).toContain("@media (prefers-color-scheme: dark)");
  expect(await get("/messages/000001/html?scheme=dark")).toContain("@media (min-width:0)");
  expect(await get("/messages/000001/html?scheme=light")).toContain("@media (max-width:0)");
});

test("the mailbox has a page of designs in both schemes if it is given any", async () => {
  expect((await fetch(`${simulator.url}/designs`)).status).toBe(404);
  expect(await get("/")).not.toContain("Every email");
  const raw = "Subject: Hello\r\nContent-Type: text/html\r\n\r\n<p>design</p>";
  const other = await startMailSimulator({ designs: async () => [{ name: "A first one", raw }] });
  try {
    const text = async (path: string) => (await fetch(other.url + path)).text();
    expect(await text("/")).toContain("Every email");
    const page = await text("/designs");
    for (const scheme of ["light", "dark"]) {
      expect(page).toContain(`src="/designs/a-first-one/html?scheme=${scheme}"`);
    }
    expect(await text("/designs/a-first-one/html")).toContain("<p>design</p>");
    expect((await fetch(`${other.url}/designs/none/html`)).status).toBe(404);
    expect(await text("/")).toContain("No mail yet");
  } finally {
    await other.stop();
  }
});

test("the mailbox accepts faults over HTTP, and refuses unknown ones", async () => {
  const post = (body: unknown) =>
    fetch(`${simulator.url}/_control/faults`, { method: "POST", body: JSON.stringify(body) });
  expect((await post({ mode: "reject-4xx", times: 1 })).status).toBe(200);
  expect(await failure(send({}))).toMatchObject({ responseCode: 451 });
  expect((await post({ mode: "explode" })).status).toBe(400);
  expect((await fetch(`${simulator.url}/_control/faults`, { method: "POST", body: "{" })).status).toBe(400);
});

test("the mailbox cannot be cleared or given faults by another site", async () => {
  await send({});
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
    await createTransport(first.smtpUrl).sendMail(email({ subject: "kept" }));
    first.child.kill("SIGKILL");
    await first.child.exited;
    const second = await program(dataDir);
    await createTransport(second.smtpUrl).sendMail(email({ subject: "added" }));
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

function email(change: object = {}) {
  return { from: "Shop <shop@shop.test>", to: "ada@example.com", subject: "hello", text: "hello", ...change };
}

const send = (change: object) => createTransport(simulator.smtpUrl).sendMail(email(change));
const clear = (url: string) => fetch(`${url}/_control/clear`, { method: "POST", body: "{}" });
const get = async (path: string) => (await fetch(simulator.url + path)).text();

/** What a promise was rejected with, if it was. */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
