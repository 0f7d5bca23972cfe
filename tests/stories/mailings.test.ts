import { expect, test } from "bun:test";
import { join } from "node:path";
import { announce, postAnnouncements } from "@/domain/mailings/announce";
import { tellOfEndings } from "@/domain/mailings/licence-endings";
import { accounts } from "@/domain/schema/accounts";
import { customer } from "../community";
import { operate, operated } from "../run-operator";
import { openStage, type Stage } from "../stage";
import { login, mailsTo, member } from "./accounts/people";

const day = 86_400_000;
const why = ["--reason", "a story"];
const letter =
  "# Spring <b>news</b>\n\nBuy **now** at [our site](https://example.com/?a=1&b=2).\n\n<script>x</script>\n";

async function file(stage: Stage, text = letter): Promise<string> {
  const path = join(stage.dataDir, `${Bun.hash(text)}.md`);
  await Bun.write(path, text);
  return path;
}

/** Posts what is to be posted and delivers it. */
async function delivered(stage: Stage) {
  await postAnnouncements(stage.ctx);
  await stage.shop.worker.drain();
}

const announced = async (stage: Stage, to: string, subject = "Spring <b>news</b>") =>
  (await mailsTo(stage, to)).filter((mail) => mail.subject === subject);

const headerOf = (mail: { headers: { name: string; value: string }[] } | undefined, name: string) =>
  mail?.headers.find((header) => header.name.toLowerCase() === name)?.value;

/** The address in a letter's List-Unsubscribe, on this shop. */
const linkOf = (mail: Parameters<typeof headerOf>[0]) => {
  const url = new URL(headerOf(mail, "list-unsubscribe")?.slice(1, -1) ?? "");
  return `${url.pathname}${url.search}`;
};

/** What a mail provider sends when its reader presses the button: no cookie, a form, and no word of where from. */
const oneClick = (stage: Stage, link: string) =>
  fetch(new URL(link, stage.url), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });

const subscribed = async (stage: Stage, name: string) =>
  (await stage.ctx.store.db.select().from(accounts)).find(({ username }) => username === name)
    ?.unsubscribedAt === null;

test("an announcement reaches every customer once, however often it is run", async () => {
  await using stage = await openStage();
  const names = ["ada", "dora", "tim"];
  for (const name of names) await member(stage, name);
  const path = await file(stage);
  const first = await operated(stage, "announce", path, ...why);
  expect(first).toMatchObject({ subject: "Spring <b>news</b>", customers: 3, state: "under way" });
  // two processes at once, and a second run in between
  await Promise.all([postAnnouncements(stage.ctx), postAnnouncements(stage.ctx)]);
  expect((await operated(stage, "announce", path, ...why)).id).toBe(first.id);
  await member(stage, "late");
  await delivered(stage);
  await operated(stage, "announce", path, ...why);
  await delivered(stage);
  for (const name of names) expect(await announced(stage, `${name}@example.com`)).toHaveLength(1);
  expect(await announced(stage, "late@example.com")).toEqual([]);
  const done = { state: "done", posted: 3, sent: 3, dropped: 0 };
  expect(await operated(stage, "announce", "status", first.id)).toMatchObject(done);
  expect(await operated(stage, "announce", "list")).toMatchObject([done]);
});

test("an announcement that was cut off goes on where it was, in bounded batches", async () => {
  await using stage = await openStage();
  const now = stage.ctx.now();
  const many = Array.from({ length: 1_450 }, (_, at) => {
    const name = `customer${at}`;
    const email = `${name}@example.com`;
    const own = { id: Bun.randomUUIDv7(), username: name, usernameKey: name, email, emailKey: email };
    return { ...own, passwordHash: "-", timezone: "UTC", createdAt: new Date(now.getTime() - day) };
  });
  for (let at = 0; at < many.length; at += 500) {
    await stage.ctx.store.db.insert(accounts).values(many.slice(at, at + 500));
  }
  stage.mail.setFaults({ mode: "refuse-connection" });
  await announce(
    stage.ctx,
    { subject: "All", content: "Hello", licensedOnly: false, offer: null },
    { actor: "operator", reason: "-" },
  );
  const waiting = async () =>
    Number(
      (
        await stage.ctx.store.client.execute(
          "SELECT count(*) AS n FROM outbox WHERE topic = 'bulk.announcement'",
        )
      ).rows[0]?.["n"],
    );
  await postAnnouncements(stage.ctx);
  // no more than that wait, however many customers there are
  expect(await waiting()).toBe(1_000);
  await postAnnouncements(stage.ctx);
  expect(await waiting()).toBe(1_000);
  await stage.ctx.store.client.execute("DELETE FROM outbox WHERE topic = 'bulk.announcement'");
  await stage.restart();
  await postAnnouncements(stage.ctx);
  expect(await waiting()).toBe(450);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT count(DISTINCT subject) AS letters, max(length(subject)) AS long FROM outbox WHERE topic = 'bulk.announcement'",
  );
  expect(rows[0]?.["letters"]).toBe(450);
  const [row] = await operated(stage, "announce", "list");
  expect(row).toMatchObject({ customers: 1_450, looked: 1_450, posted: 1_450 });
});

test("the letter's HTML and text say the same, escaped, and both lead out", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await operated(stage, "announce", await file(stage), ...why);
  await delivered(stage);
  const [mail] = await announced(stage, "ada@example.com");
  expect(mail?.html).toContain("Spring &lt;b&gt;news&lt;/b&gt;");
  expect(mail?.html).toContain("<strong>now</strong>");
  expect(mail?.html).toContain('href="https://example.com/?a=1&amp;b=2"');
  expect(mail?.html).toContain("&lt;script&gt;");
  expect(mail?.html).not.toContain("<script");
  expect(mail?.text).toContain("Buy **now** at [our site](https://example.com/?a=1&b=2).");
  expect(headerOf(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const link = new URL(linkOf(mail), stage.url).href;
  expect(mail?.text).toContain(link);
  expect(mail?.html).toContain(link);
  // letters about an order or the account carry no such header
  const others = (await mailsTo(stage, "ada@example.com")).filter(({ subject }) => subject !== mail?.subject);
  for (const other of others) expect(headerOf(other, "list-unsubscribe")).toBeUndefined();
});

test("one click unsubscribes without a session, looking does not, and a button takes it back", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await operated(stage, "announce", await file(stage), ...why);
  await delivered(stage);
  const [mail] = await announced(stage, "ada@example.com");
  const link = linkOf(mail);
  const browser = stage.person();
  for (const method of ["GET", "HEAD"]) expect((await browser.send(method, link)).status).toBe(200);
  const page: string = (await browser.get(link)).body;
  expect(page).toContain('method="post"');
  expect(page).not.toMatch(/<script|\sstyle=/);
  expect(await subscribed(stage, "ada")).toBe(true);
  expect((await oneClick(stage, link)).status).toBe(200);
  expect(await subscribed(stage, "ada")).toBe(false);
  expect((await oneClick(stage, link)).status).toBe(200);
  await operated(stage, "announce", await file(stage, "Second\n\nHello"), ...why);
  await delivered(stage);
  expect(await announced(stage, "ada@example.com", "Second")).toEqual([]);
  const done = await browser.send("POST", link, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const again = /action="([^"]+)"/.exec(done.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect((await browser.send("POST", again)).status).toBe(200);
  expect(await subscribed(stage, "ada")).toBe(true);
  const trail = await operated(stage, "audit", "show", "--action", "mailings");
  expect(trail.map(({ action }: { action: string }) => action)).toEqual([
    "mailings.subscribed",
    "mailings.unsubscribed",
  ]);
});

test("a made-up or foreign token unsubscribes nobody", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  await member(stage, "dora");
  const { id } = (await ada.get("/api/user/me")).body.data;
  await operated(stage, "announce", await file(stage), ...why);
  await delivered(stage);
  const token = new URL(linkOf((await announced(stage, "dora@example.com"))[0]), stage.url).searchParams.get(
    "token",
  );
  const proof = token?.split(".")[1] ?? "";
  for (const wrong of [id, `${id}.`, `${id}.${proof}`, `${id}.x`, "x"]) {
    const link = `/api/unsubscribe?token=${encodeURIComponent(wrong)}`;
    const answer = await stage.person().send("POST", link);
    expect(answer).toMatchObject({ status: 400, body: { code: "unsubscribe_invalid" } });
    const page = await stage.person().get(link);
    expect(page.status).toBe(200);
    expect(page.body).not.toContain("<form");
  }
  expect((await stage.person().send("POST", "/api/unsubscribe")).status).toBe(400);
  expect(await subscribed(stage, "ada")).toBe(true);
});

test("a link still works after the shop's secret was replaced", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await operated(stage, "announce", await file(stage), ...why);
  await delivered(stage);
  const link = linkOf((await announced(stage, "ada@example.com"))[0]);
  const secrets = { secretKey: Buffer.alloc(32, 9), secretKeyOld: Buffer.alloc(32, 7) };
  await stage.restart({ secrets });
  expect((await oneClick(stage, link)).status).toBe(200);
  expect(await subscribed(stage, "ada")).toBe(false);
});

test("an announcement to licensed customers leaves out the others, and is never sent to all by accident", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const trial = await customer(stage, "trial", 1);
  stage.advance(2 * day);
  const path = await file(stage);
  await operated(stage, "announce", path, "--licensed", ...why);
  const other = await operate(stage, "announce", path, ...why);
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining("other customers") });
  await delivered(stage);
  expect(await announced(stage, "ada@example.com")).toHaveLength(1);
  expect(await announced(stage, `${trial.username}@example.com`)).toEqual([]);
});

test("an announcement to the customers of an offer reaches who redeemed a licence that it sold", async () => {
  await using stage = await openStage();
  await operated(
    stage,
    "offers",
    "add",
    "month",
    "--name",
    "A month",
    "--amount",
    "200",
    "--days",
    "30",
    ...why,
  );
  const { key } = await stage.buy("owner@example.com");
  await stage.person().register(key, "owner");
  await member(stage, "given");
  await operated(stage, "announce", await file(stage), "--offer", "premium", ...why);
  await operated(stage, "announce", await file(stage, "Month\n\nHello"), "--offer", "month", ...why);
  const wrong = await operate(
    stage,
    "announce",
    await file(stage, "No\n\nHello"),
    "--offer",
    "nonsense",
    ...why,
  );
  expect(wrong.code).toBe(1);
  await delivered(stage);
  expect(await announced(stage, "owner@example.com")).toHaveLength(1);
  expect(await announced(stage, "owner@example.com", "Month")).toEqual([]);
  expect(await announced(stage, "given@example.com")).toEqual([]);
});

test("a stopped announcement sends nothing more, and a file without a subject or text is refused", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const path = await file(stage);
  const { id } = await operated(stage, "announce", path, ...why);
  await postAnnouncements(stage.ctx);
  await operated(stage, "announce", "stop", id, ...why);
  await delivered(stage);
  const sent = (await announced(stage, "ada@example.com")).length;
  expect((await operated(stage, "announce", "status", id)).state).toBe("stopped");
  await delivered(stage);
  expect(await announced(stage, "ada@example.com")).toHaveLength(sent);
  for (const refused of [
    ["stop", id],
    [path],
    ["status", "nonsense"],
    [await file(stage, "Only a subject")],
    ["/nowhere.md"],
  ]) {
    const reason = refused[0] === "status" ? [] : why;
    expect((await operate(stage, "announce", ...refused, ...reason)).code).toBe(1);
  }
});

test("receipts and codes never wait for an announcement's letters", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await operated(stage, "announce", await file(stage), ...why);
  const { rows } = await stage.ctx.store.client.execute({
    sql: "EXPLAIN QUERY PLAN SELECT * FROM announcements WHERE posted_at IS NULL AND stopped_at IS NULL ORDER BY created_at LIMIT 1",
    args: [],
  });
  expect(rows.map((row) => row["detail"] as string)).toEqual([
    expect.stringContaining("USING INDEX announcements_unposted"),
  ]);
  const { laneOf } = await import("@/core/outbox");
  expect(laneOf("bulk.announcement")).not.toBe(laneOf("mail.receipt"));
});

const endings = async (stage: Stage, name: string) => {
  await tellOfEndings(stage.ctx);
  const mails = await mailsTo(stage, `${name}@example.com`);
  return mails.map(({ subject }) => subject).filter((subject) => subject.includes(" ends "));
};

test("a timed licence's end is told a week and a day before, once each, and a lifetime's never", async () => {
  await using stage = await openStage();
  await customer(stage, "month", 30);
  await member(stage, "ever");
  expect(await endings(stage, "month")).toEqual([]);
  stage.advance(22.5 * day);
  expect(await endings(stage, "month")).toEqual([]);
  stage.advance(day);
  const week = "Your Wisp Premium license ends in 7 days";
  expect(await endings(stage, "month")).toEqual([week]);
  await stage.restart();
  expect(await endings(stage, "month")).toEqual([week]);
  stage.advance(5 * day);
  expect(await endings(stage, "month")).toEqual([week]);
  stage.advance(day);
  expect(await endings(stage, "month")).toEqual(["Your Wisp Premium license ends tomorrow", week]);
  stage.advance(5 * day);
  expect(await endings(stage, "month")).toHaveLength(2);
  expect(await endings(stage, "ever")).toEqual([]);
});

test("who renewed, or asked for no letters, is not told of the old end", async () => {
  await using stage = await openStage();
  const { person } = await customer(stage, "renewed", 30);
  await customer(stage, "quiet", 30);
  await customer(stage, "told", 30);
  stage.advance(23.5 * day);
  await login(person, "renewed", { password: "a long enough phrase" });
  const redeemed = await person.post("/api/licenses/redeem", {
    key: await stage.handOut(30),
    timezone: "UTC",
  });
  expect(redeemed.status).toBe(200);
  expect(await endings(stage, "told")).toHaveLength(1);
  expect(await endings(stage, "renewed")).toEqual([]);
  const [mail] = await mailsTo(stage, "quiet@example.com");
  expect((await oneClick(stage, linkOf(mail))).status).toBe(200);
  stage.advance(6 * day);
  expect(await endings(stage, "told")).toHaveLength(2);
  expect(await endings(stage, "quiet")).toHaveLength(1);
  expect(await endings(stage, "renewed")).toEqual([]);
  // the new end is told
  stage.advance(24 * day);
  expect(await endings(stage, "renewed")).toHaveLength(1);
});

test("a short licence is not told its end at once, and an extended one is told its new end", async () => {
  await using stage = await openStage();
  const { person } = await customer(stage, "week", 7);
  const [{ key }] = (await person.get("/api/licenses/me")).body.data;
  expect(await endings(stage, "week")).toEqual([]);
  stage.advance(6.5 * day);
  expect(await endings(stage, "week")).toHaveLength(1);
  const { id } = await operated(stage, "licences", "show", key);
  await operated(stage, "licences", "extend", id, "30", ...why);
  expect(await endings(stage, "week")).toHaveLength(1);
  stage.advance(25 * day);
  expect(await endings(stage, "week")).toHaveLength(2);
});

test("the end of licences is looked up by an index", async () => {
  await using stage = await openStage();
  const { rows } = await stage.ctx.store.client.execute({
    sql: "EXPLAIN QUERY PLAN SELECT * FROM licences WHERE ending_told IN (0, 7) AND expires_at > ? AND expires_at <= ? LIMIT 100",
    args: [0, 1],
  });
  expect(rows.map((row) => row["detail"] as string)).toEqual([
    expect.stringContaining("SEARCH licences USING INDEX licences_ending"),
  ]);
});
