import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { utcDay } from "@/contract/vocabulary/dates";
import { day, minute } from "@/contract/vocabulary/time";
import { waitingWork } from "@/core/jobs/outbox";
import { emailsAtOnce, emailsUnderWay } from "@/domain/mail/email";
import { announce, postAnnouncements } from "@/domain/campaigns/announce";
import { nextPage } from "@/domain/campaigns/recipients";
import { unsubscribedSince } from "@/domain/campaigns/unsubscribe";
import { remindOfEndings } from "@/domain/campaigns/licence-endings";
import { handOut } from "@/domain/licences/keys/hand-out";
import { keyOf } from "@/domain/licences/keys/issue";
import { licencesOfPayment } from "@/domain/licences/entitlement/sold";
import { accounts } from "@/domain/schema/accounts";
import { payments } from "@/domain/schema/payments";
import { customer } from "../../support/people/discord";
import { operate, operated } from "../../support/operator/run-operator";
import { addLevels } from "../../support/shop/levels";
import { sellMonth } from "../../support/shop/sell-month";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { login, mailsTo, member, prove } from "../accounts/people";
import { boughtAsGuest } from "../../support/people/buyer";

const why = ["--reason", "a story"];
const announcement =
  "# Spring <b>news</b>\n\nBuy **now** at [our site](https://example.com/?a=1&b=2).\n\n<script>x</script>\n";

async function file(stage: Stage, text = announcement): Promise<string> {
  const path = join(stage.dataDir, `${Bun.hash(text)}.md`);
  await Bun.write(path, text);
  return path;
}

/** Nodemailer would try for seven seconds at a server that cuts connections; `gateway.test.ts` has that one. */
const takesNothing = { mode: "reject-4xx", at: "sender" } as const;

const toAll = { subject: "All", content: "Hello", licensedOnly: false, offer: null };
const byStaff = { actor: operator, reason: "-" };

/** Adds accounts that are never signed in to. */
async function withCustomers(stage: Stage, count: number, named = "customer") {
  const createdAt = new Date(stage.ctx.now().getTime() - day);
  const many = Array.from({ length: count }, (_, at) => {
    const name = `${named}${at}`;
    const email = `${name}@example.com`;
    const own = { id: Bun.randomUUIDv7(), username: name, usernameKey: name, email, emailKey: email };
    return { ...own, emailConfirmedAt: createdAt, passwordHash: "-", timezone: "UTC", createdAt };
  });
  for (let at = 0; at < many.length; at += 500) {
    await stage.ctx.store.db.insert(accounts).values(many.slice(at, at + 500));
  }
}

/** Posts what is due and delivers it. */
async function postAndDeliver(stage: Stage) {
  await postAnnouncements(stage.ctx);
  await stage.shop.worker.drain();
}

const announced = async (stage: Stage, to: string, subject = "Spring <b>news</b>") =>
  (await mailsTo(stage, to)).filter((mail) => mail.subject === subject);

const headerOf = (mail: { headers: { name: string; value: string }[] } | undefined, name: string) =>
  mail?.headers.find((header) => header.name.toLowerCase() === name)?.value;

/** The URL in an email's List-Unsubscribe, on this shop. */
const linkOf = (mail: Parameters<typeof headerOf>[0]) => {
  const url = new URL(headerOf(mail, "list-unsubscribe")?.slice(1, -1) ?? "");
  return `${url.pathname}${url.search}`;
};

/** What a mail provider sends when its user clicks the button: a form, without a cookie or an origin. */
const oneClick = (stage: Stage, link: string) =>
  fetch(new URL(link, stage.url), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });

const subscribed = async (stage: Stage, name: string) =>
  (await unsubscribedSince(stage.ctx, `${name}@example.com`)) === null;

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
  await postAndDeliver(stage);
  await operated(stage, "announce", path, ...why);
  await postAndDeliver(stage);
  for (const name of names) expect(await announced(stage, `${name}@example.com`)).toHaveLength(1);
  expect(await announced(stage, "late@example.com")).toEqual([]);
  const done = { state: "done", posted: 3, sent: 3, dropped: 0 };
  expect(await operated(stage, "announce", "status", first.id)).toMatchObject(done);
  expect(await operated(stage, "announce", "list")).toMatchObject([done]);
});

test("buyers who have not registered are customers too, and each gets one email", async () => {
  await using stage = await openStage();
  // one person, whatever they bought and however they wrote their address
  for (const email of ["twice@example.com", "Twice@example.com"]) await boughtAsGuest(stage, {}, email);
  await boughtAsGuest(stage, { gift: { email: "receiver@example.com" } }, "giver@example.com");
  // these have accounts
  await boughtAsGuest(stage, {}, "ada@example.com");
  await member(stage, "ada");
  const { key } = await stage.buy("other-address@example.com");
  await stage.person().register(key, "dora");
  await prove(stage, "dora");
  // this one is no longer a customer
  const session = await boughtAsGuest(stage, {}, "refunded@example.com");
  await stage.atStripe("refund", { session });
  await stage.person().get(`/api/stripe/verify-payment?session_id=${session}`);
  const { id, customers } = await operated(stage, "announce", await file(stage), ...why);
  expect(customers).toBe(4);
  await boughtAsGuest(stage, {}, "late@example.com");
  await postAndDeliver(stage);
  const reached = stage.mail.messages().filter(({ subject }) => subject === "Spring <b>news</b>");
  const registered = ["ada@example.com", "dora@example.com"];
  const buyers = ["giver@example.com", "twice@example.com"];
  expect(reached.map(({ to }) => to).toSorted()).toEqual([...registered, ...buyers].toSorted());
  for (const { to, text, html } of reached) {
    const because = registered.includes(to) ? "you have an account with us." : "you bought from us.";
    for (const part of [text, html]) expect(part).toContain(`receiving this because ${because}`);
  }
  const done = { state: "done", looked: 4, posted: 4, sent: 4 };
  expect(await operated(stage, "announce", "status", id)).toMatchObject(done);
});

test("a buyer who unsubscribes gets no more announcements, not even after another order or after registering", async () => {
  await using stage = await openStage();
  await boughtAsGuest(stage, {}, "buyer@example.com");
  await operated(stage, "announce", await file(stage), ...why);
  await postAndDeliver(stage);
  const [mail] = await announced(stage, "buyer@example.com");
  const link = linkOf(mail);
  expect((await oneClick(stage, link)).status).toBe(200);
  expect((await oneClick(stage, link)).status).toBe(200);
  await boughtAsGuest(stage, {}, "buyer@example.com");
  await operated(stage, "announce", await file(stage, "Second\n\nHello"), ...why);
  await postAndDeliver(stage);
  expect(await announced(stage, "buyer@example.com", "Second")).toEqual([]);
  await member(stage, "buyer");
  await operated(stage, "announce", await file(stage, "Third\n\nHello"), ...why);
  await postAndDeliver(stage);
  expect(await announced(stage, "buyer@example.com", "Third")).toEqual([]);
  // the link in the buyer's email also resubscribes the account
  expect((await stage.person().send("POST", `${link}&again=yes`)).status).toBe(200);
  expect(await subscribed(stage, "buyer")).toBe(true);
  const trail = await operated(stage, "audit", "show", "--action", "mailings");
  expect(trail).toHaveLength(2);
});

test("an announcement's email that is waiting when its buyer unsubscribes is not sent", async () => {
  await using stage = await openStage();
  await boughtAsGuest(stage, {}, "buyer@example.com");
  await operated(stage, "announce", await file(stage), ...why);
  await postAndDeliver(stage);
  const link = linkOf((await announced(stage, "buyer@example.com"))[0]);
  const { id } = await operated(stage, "announce", await file(stage, "Second\n\nHello"), ...why);
  stage.mail.setFaults(takesNothing);
  await postAnnouncements(stage.ctx);
  await eventually(
    async () => (await waitingWork(stage.ctx, 1))[0]?.attempts,
    (attempts) => attempts === 1,
  );
  expect((await oneClick(stage, link)).status).toBe(200);
  await stage.acceptMail(minute);
  expect(await announced(stage, "buyer@example.com", "Second")).toEqual([]);
  expect(await operated(stage, "announce", "status", id)).toMatchObject({
    state: "done",
    sent: 0,
    dropped: 1,
  });
});

test("an interrupted announcement continues where it stopped, in bounded batches", async () => {
  await using stage = await openStage();
  await withCustomers(stage, 1_450);
  stage.mail.setFaults(takesNothing);
  await announce(stage.ctx, toAll, byStaff);
  const waiting = async () =>
    Number(
      (
        await stage.ctx.store.client.execute(
          "SELECT count(*) AS n FROM outbox WHERE topic = 'bulk.announcement'",
        )
      ).rows[0]?.["n"],
    );
  await postAnnouncements(stage.ctx);
  // no more than that are waiting, however many customers there are
  expect(await waiting()).toBe(1_000);
  await postAnnouncements(stage.ctx);
  expect(await waiting()).toBe(1_000);
  await stage.ctx.store.client.execute("DELETE FROM outbox WHERE topic = 'bulk.announcement'");
  await stage.restart();
  await postAnnouncements(stage.ctx);
  expect(await waiting()).toBe(450);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT count(DISTINCT subject) AS emails, max(length(subject)) AS long FROM outbox WHERE topic = 'bulk.announcement'",
  );
  expect(rows[0]?.["emails"]).toBe(450);
  const [row] = await operated(stage, "announce", "list");
  expect(row).toMatchObject({ customers: 1_450, looked: 1_450, posted: 1_450 });
});

test("an announcement's HTML and text say the same, escaped, and both contain the unsubscribe link", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await operated(stage, "announce", await file(stage), ...why);
  await postAndDeliver(stage);
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
  // emails about an order or the account carry no such header
  const others = (await mailsTo(stage, "ada@example.com")).filter(({ subject }) => subject !== mail?.subject);
  for (const other of others) expect(headerOf(other, "list-unsubscribe")).toBeUndefined();
});

test("one click unsubscribes without a session, opening the link does not, and a button resubscribes", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await operated(stage, "announce", await file(stage), ...why);
  await postAndDeliver(stage);
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
  await postAndDeliver(stage);
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
  await postAndDeliver(stage);
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

test("an announcement to licensed customers skips the others, and is never sent to everyone by accident", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const trial = await customer(stage, "trial", 1);
  stage.advance(2 * day);
  const path = await file(stage);
  await operated(stage, "announce", path, "--licensed", ...why);
  const other = await operate(stage, "announce", path, ...why);
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining("other customers") });
  await postAndDeliver(stage);
  expect(await announced(stage, "ada@example.com")).toHaveLength(1);
  expect(await announced(stage, `${trial.username}@example.com`)).toEqual([]);
});

test("an announcement to the customers of an offer reaches those who bought it or hold a licence that it sold", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const { key } = await stage.buy("somewhere@example.com");
  await stage.person().register(key, "owner");
  await prove(stage, "owner");
  await member(stage, "given");
  await boughtAsGuest(stage, {}, "buyer@example.com");
  await boughtAsGuest(stage, { offer: "month" }, "monthly@example.com");
  await boughtAsGuest(stage, { offer: "month" }, "given@example.com");
  await operated(stage, "announce", await file(stage), "--offer", "premium", ...why);
  await operated(stage, "announce", await file(stage, "Month\n\nHello"), "--offer", "month", ...why);
  const nothing = await file(stage, "No\n\nHello");
  expect((await operate(stage, "announce", nothing, "--offer", "nonsense", ...why)).code).toBe(1);
  await postAndDeliver(stage);
  const reachedBy = (subject: string) =>
    stage.mail
      .messages()
      .filter((mail) => mail.subject === subject)
      .map(({ to }) => to)
      .toSorted();
  expect(reachedBy("Spring <b>news</b>")).toEqual(["buyer@example.com", "owner@example.com"]);
  expect(reachedBy("Month")).toEqual(["given@example.com", "monthly@example.com"]);
});

test("a stopped announcement sends no more emails, and a file without a subject or text is refused", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const path = await file(stage);
  const { id } = await operated(stage, "announce", path, ...why);
  await postAnnouncements(stage.ctx);
  await operated(stage, "announce", "stop", id, ...why);
  await postAndDeliver(stage);
  const sent = (await announced(stage, "ada@example.com")).length;
  expect((await operated(stage, "announce", "status", id)).state).toBe("stopped");
  await postAndDeliver(stage);
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

test("an announcement's emails are sent as many at once as any others", async () => {
  await using stage = await openStage();
  await withCustomers(stage, 24);
  stage.mail.setFaults({ mode: "slow", delayMs: 150 });
  await announce(stage.ctx, toAll, byStaff);
  await postAndDeliver(stage);
  expect(stage.mail.messages()).toHaveLength(24);
  expect(stage.mail.tally.mostAtOnce).toBe(emailsAtOnce.bulk);
});

const statusOf = (stage: Stage, id: string) => operated(stage, "announce", "status", id);

test("a thousand customers whose mail server defers keep no other customer and no other announcement waiting", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await withCustomers(stage, 1_050, "busy");
  await withCustomers(stage, 3, "quick");
  stage.mail.setFaults({ mode: "reject-4xx", at: "recipient", to: "busy" });
  const first = await announce(stage.ctx, toAll, byStaff);
  const second = await announce(stage.ctx, { ...toAll, subject: "Second", licensedOnly: true }, byStaff);
  await postAnnouncements(stage.ctx);
  // each round takes what the one before left over
  for (let round = 0; round < 10 && (await statusOf(stage, first.id)).sent < 4; round += 1) {
    await postAndDeliver(stage);
  }
  expect(await statusOf(stage, first.id)).toMatchObject({ state: "under way", deferred: 1_050 });
  expect(await statusOf(stage, second.id)).toMatchObject({ state: "done", sent: 1, deferred: 0 });
  expect((await operate(stage, "announce", "status", first.id)).out).toContain("1050 deferred");
});

test("a deferred email is retried for five days and then given up", async () => {
  await using stage = await openStage();
  await withCustomers(stage, 2, "busy");
  await withCustomers(stage, 2, "away");
  stage.mail.setFaults({ mode: "reject-4xx", at: "recipient" });
  const { id } = await announce(stage.ctx, toAll, byStaff);
  await postAndDeliver(stage);
  expect(await statusOf(stage, id)).toMatchObject({ state: "under way", sent: 0, deferred: 4 });
  stage.mail.setFaults({ mode: "reject-4xx", at: "recipient", to: "away" });
  stage.advance(day);
  await postAndDeliver(stage);
  expect(await statusOf(stage, id)).toMatchObject({ state: "under way", sent: 2, deferred: 2 });
  stage.advance(5 * day);
  await postAndDeliver(stage);
  expect(await statusOf(stage, id)).toMatchObject({ state: "done", sent: 2, deferred: 0, dropped: 2 });
  expect(stage.mail.messages()).toHaveLength(2);
  expect(await waitingWork(stage.ctx, 1)).toEqual([]);
});

test("an announcement waits while the mail server takes nothing, and defers nothing", async () => {
  await using stage = await openStage();
  await withCustomers(stage, 3);
  stage.mail.setFaults(takesNothing);
  const { id } = await announce(stage.ctx, toAll, byStaff);
  await postAndDeliver(stage);
  expect(await statusOf(stage, id)).toMatchObject({ sent: 0, deferred: 0 });
  await stage.acceptMail(minute);
  await postAndDeliver(stage);
  expect(await statusOf(stage, id)).toMatchObject({ state: "done", sent: 3 });
});

test("a recovery code waits for no other email that the mail server is slow to accept", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await withCustomers(stage, 30, "slow");
  stage.mail.setFaults({ mode: "slow", delayMs: 600_000, to: "slow" });
  await announce(stage.ctx, toAll, byStaff);
  await postAnnouncements(stage.ctx);
  for (let at = 0; at < 12; at += 1) await boughtAsGuest(stage, {}, `slow-buyer${at}@example.com`);
  await eventually(
    () => stage.mail.tally.mostAtOnce,
    (most) => most >= emailsAtOnce.mail + emailsAtOnce.bulk,
  );
  await stage.person().get("/api/user/password/forgot?email=ada@example.com&code=");
  const code = (mails: { subject: string }[]) => mails.some(({ subject }) => /code/i.test(subject));
  await eventually(() => stage.mail.messages("ada@example.com"), code);
  expect(stage.mail.messages().filter(({ to }) => to.startsWith("slow"))).toEqual([]);
});

test("a page of buyers is read by payment id, not from all orders without an account", async () => {
  await using stage = await openStage();
  const { client } = stage.ctx.store;
  const plans: string[] = [];
  const logQuery = (sql: string) => void plans.push(`EXPLAIN QUERY PLAN ${sql}`);
  const store = { ...stage.ctx.store, db: drizzle(client, { logger: { logQuery } }) };
  const audience = { cursor: "payment:", createdAt: stage.ctx.now(), licensedOnly: false, offer: null };
  await nextPage({ ...stage.ctx, store }, audience);
  const first = async (sql: string) => (await client.execute(sql)).rows[0]?.["detail"] as string;
  expect(await Promise.all(plans.map(first))).toEqual([
    expect.stringContaining("SEARCH payments USING COVERING INDEX sqlite_autoindex_payments_1 (id>?)"),
    expect.stringContaining("SEARCH payments USING INDEX sqlite_autoindex_payments_1 (id>? AND id<?)"),
  ]);
});

test("a receipt is sent before all of an announcement's emails that are not under way yet", async () => {
  await using stage = await openStage();
  await withCustomers(stage, 100);
  stage.mail.setFaults({ mode: "slow", delayMs: 50 });
  await announce(stage.ctx, toAll, byStaff);
  await postAnnouncements(stage.ctx);
  await eventually(
    () => stage.mail.messages().length,
    (count) => count > 0,
  );
  await stage.buy("buyer@example.com");
  const before = stage.mail.messages().length;
  await stage.shop.worker.drain();
  const arrived = stage.mail.messages().toReversed();
  const at = arrived.findIndex(({ to }) => to === "buyer@example.com");
  // those under way when it was posted, and those that start while it is being written
  expect(at).toBeLessThanOrEqual(before + 3 * emailsUnderWay);
});

const endings = async (stage: Stage, name: string) => {
  await remindOfEndings(stage.ctx);
  const mails = await mailsTo(stage, `${name}@example.com`);
  return mails.map(({ subject }) => subject).filter((subject) => subject.includes(" ends "));
};

test("the owner of a timed licence is reminded a week and a day before it ends, once each, and that of a lifetime licence never", async () => {
  await using stage = await openStage();
  await customer(stage, "month", 30);
  await member(stage, "ever");
  expect(await endings(stage, "month")).toEqual([]);
  stage.advance(22.5 * day);
  expect(await endings(stage, "month")).toEqual([]);
  stage.advance(day);
  const end = utcDay(new Date(stage.ctx.now().getTime() + 6.5 * day));
  const week = `Your Wisp Premium license ends on ${end} (in 7 days)`;
  expect(await endings(stage, "month")).toEqual([week]);
  const [reminder] = stage.mail.messages("month@example.com").filter(({ subject }) => subject === week);
  expect(reminder?.text).toContain(`Renew:\n${stage.url}dashboard/license\n`);
  await stage.restart();
  expect(await endings(stage, "month")).toEqual([week]);
  stage.advance(5 * day);
  expect(await endings(stage, "month")).toEqual([week]);
  stage.advance(day);
  expect(await endings(stage, "month")).toEqual([
    `Your Wisp Premium license ends on ${end} (within a day)`,
    week,
  ]);
  stage.advance(5 * day);
  expect(await endings(stage, "month")).toHaveLength(2);
  expect(await endings(stage, "ever")).toEqual([]);
});

test("the reminder before a licence ends names what was bought", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const session = await boughtAsGuest(stage, { offer: "month" }, "ada@example.com");
  const [payment] = await stage.ctx.store.db.select().from(payments).where(eq(payments.sessionId, session));
  const [licence] = await licencesOfPayment(stage.ctx, payment?.id ?? "");
  if (!licence) throw new Error("nothing was sold");
  await stage.person().register(keyOf(stage.ctx, licence), "ada");
  stage.advance(23.5 * day);
  const end = utcDay(new Date(stage.ctx.now().getTime() + 6.5 * day));
  expect(await endings(stage, "ada")).toEqual([`Your One month license ends on ${end} (in 7 days)`]);
});

test("the end of a level is told beside a licence of a lower one, and not beside one of a higher", async () => {
  await using stage = await openStage();
  await addLevels(stage, { id: "team", name: "Team" });
  for (const [name, days] of [
    ["low", null],
    ["high", 30],
  ] as const) {
    const { person } = await customer(stage, name, days);
    const key = await handOut(stage.ctx, { level: "team", days: days === null ? 30 : null }, byStaff);
    expect((await person.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  }
  stage.advance(23.5 * day);
  expect(await endings(stage, "low")).toEqual([expect.stringMatching(/^Your Team license ends/)]);
  expect(await endings(stage, "high")).toEqual([]);
});

test("customers who renewed or unsubscribed are not reminded of the old end date", async () => {
  await using stage = await openStage();
  const { person } = await customer(stage, "renewed", 30);
  await customer(stage, "quiet", 30);
  await customer(stage, "reminded", 30);
  stage.advance(23.5 * day);
  await login(person, "renewed", { password: "a long enough phrase" });
  const redeemed = await person.post("/api/licenses/redeem", {
    key: await stage.handOut(30),
    timezone: "UTC",
  });
  expect(redeemed.status).toBe(200);
  expect(await endings(stage, "reminded")).toHaveLength(1);
  expect(await endings(stage, "renewed")).toEqual([]);
  const [mail] = await mailsTo(stage, "quiet@example.com");
  expect((await oneClick(stage, linkOf(mail))).status).toBe(200);
  stage.advance(6 * day);
  expect(await endings(stage, "reminded")).toHaveLength(2);
  expect(await endings(stage, "quiet")).toHaveLength(1);
  expect(await endings(stage, "renewed")).toEqual([]);
  // a reminder of the new end
  stage.advance(24 * day);
  expect(await endings(stage, "renewed")).toHaveLength(1);
});

test("the owner of a short licence is not reminded at once, and that of an extended one is reminded of the new end", async () => {
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
  await operated(stage, "licences", "extend", id, "30", ...why);
  stage.advance(30 * day);
  expect(await endings(stage, "week")).toHaveLength(3);
  // mail programs drop a second email with the same Message-ID
  const reminders = (await mailsTo(stage, "week@example.com")).filter(({ subject }) =>
    subject.includes(" ends "),
  );
  expect(new Set(reminders.map(({ messageId }) => messageId)).size).toBe(3);
});
