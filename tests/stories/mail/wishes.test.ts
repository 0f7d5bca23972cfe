import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { announce, postAnnouncements } from "@/domain/campaigns/announce";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { changeEmail, mailsTo, me, member } from "../accounts/people";

const why = ["--reason", "a story"];
let announcements = 0;

/** Sends an announcement; resolves to the link in the email to an address, or null if it gets none. */
async function news(stage: Stage, to: string): Promise<string | null> {
  const subject = `News ${(announcements += 1)}`;
  const toAll = { subject, content: "Hello", licensedOnly: false, offer: null };
  await announce(stage.ctx, toAll, { actor: operator, reason: "a story" });
  await postAnnouncements(stage.ctx);
  const mail = (await mailsTo(stage, to)).find((one) => one.subject === subject);
  const header = mail?.headers.find(({ name }) => name.toLowerCase() === "list-unsubscribe")?.value;
  if (!header) return null;
  const url = new URL(header.slice(1, -1));
  return `${url.pathname}${url.search}`;
}

const click = async (stage: Stage, link: string | null) =>
  (await stage.person().send("POST", link ?? "/no-link")).status;

test("an account that takes a stranger's address can't resubscribe it with its own links", async () => {
  await using stage = await openStage();
  await stage.buy("stranger@example.com");
  const theirs = await news(stage, "stranger@example.com");
  expect(await click(stage, theirs)).toBe(200);
  const thief = await member(stage, "thief");
  const own = await news(stage, "thief@example.com");
  await changeEmail(stage, thief, "stranger@example.com");
  expect(await click(stage, `${own}&again=yes`)).toBe(200);
  expect(await news(stage, "stranger@example.com")).toBeNull();
  // only the stranger's own link changes it
  expect(await click(stage, `${theirs}&again=yes`)).toBe(200);
  expect(await news(stage, "stranger@example.com")).not.toBeNull();
});

test("an unsubscribe link is for the address it was mailed to, even after the account has another", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  const link = await news(stage, "ada@example.com");
  await changeEmail(stage, ada, "new@example.com");
  expect(await click(stage, link)).toBe(200);
  expect(await news(stage, "new@example.com")).not.toBeNull();
  await changeEmail(stage, ada, "ada@example.com");
  expect(await news(stage, "ada@example.com")).toBeNull();
});

test("an unsubscribed address that is imported, that an account moves to or that registers anew gets no news", async () => {
  await using stage = await openStage();
  for (const name of ["imported", "moved", "again"]) {
    await stage.buy(`${name}@exämple.com`.replace("exämple", "xn--exmple-cua"));
    expect(await click(stage, await news(stage, `${name}@exämple.com`))).toBe(200);
  }
  const file = join(stage.dataDir, "people.csv");
  await Bun.write(file, "username,email,days\nimported,Imported@exämple.com,30\n");
  await operated(stage, "import", "customers", file, ...why);
  await changeEmail(stage, await member(stage, "mover"), "MOVED@exa\u0308mple.com", "MOVED@exämple.com");
  const again = await member(stage, "again");
  await changeEmail(stage, again, "again@exämple.com");
  const { id } = (await me(again)).data;
  await operated(stage, "accounts", "erase", id, ...why);
  await changeEmail(stage, await member(stage, "again"), "again@exämple.com");
  for (const name of ["imported", "moved", "again"]) {
    expect([name, await news(stage, `${name}@exämple.com`)]).toEqual([name, null]);
  }
  expect(await news(stage, "never@example.com")).toBeNull();
});

test("an address stays unsubscribed when the shop's secret is replaced, and an earlier link can resubscribe it", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const before = await news(stage, "ada@example.com");
  expect(await click(stage, before)).toBe(200);
  await stage.restart({ secrets: { secretKey: Buffer.alloc(32, 9), secretKeyOld: Buffer.alloc(32, 7) } });
  expect(await news(stage, "ada@example.com")).toBeNull();
  expect(await click(stage, `${before}&again=yes`)).toBe(200);
  const after = await news(stage, "ada@example.com");
  expect(await click(stage, after)).toBe(200);
  expect(await news(stage, "ada@example.com")).toBeNull();
});

test("an export and the owner's own file say since when an address is unsubscribed", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  await stage.buy("ada@example.com");
  await click(stage, await news(stage, "ada@example.com"));
  const own = (await ada.get("/api/user/export")).body.data.account.unsubscribed_at;
  expect(Date.parse(own)).toBeGreaterThan(0);
  const folder = join(stage.dataDir, "books");
  await operated(stage, "export", folder, "--format", "jsonl", ...why);
  for (const name of ["accounts", "payments"]) {
    const [row] = (await Bun.file(join(folder, `${name}.jsonl`)).text()).trim().split("\n");
    expect(JSON.parse(row ?? "")).toMatchObject({ unsubscribed_at: own });
  }
});
