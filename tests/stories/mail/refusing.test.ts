/** A mail server that refuses whatever the shop sends: nothing is lost, and everybody who can mend it is told. */
import { expect, test } from "bun:test";
import { and, eq, like } from "drizzle-orm";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { keepFact } from "@/core/database/key-values";
import { auditLog, keyValues, outbox } from "@/core/database/schema";
import { endRefusing, mailRefusing } from "@/domain/mail/refusing";
import { announce, postAnnouncements } from "@/domain/campaigns/announce";
import { announcements } from "@/domain/schema/announcements";
import type { Fault } from "@/simulators/mail/faults";
import { operate, operated } from "../../support/operator/run-operator";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";

const refusing = (fault: Partial<Fault> = {}): Fault => ({ mode: "reject-5xx", at: "recipient", ...fault });
/** As a server says it that also says this of a mailbox that doesn't exist. */
const bare = refusing({ reply: "550 Requested action not taken: mailbox unavailable" });

async function deliverAll(stage: Stage) {
  await stage.stripe.flush();
  await stage.shop.worker.drain();
}

/** Lets what waits be tried again. */
async function later(stage: Stage, milliseconds: number) {
  stage.advance(milliseconds);
  await stage.shop.periodicJobs.run();
  await deliverAll(stage);
}

const ready = async (stage: Stage) => (await stage.person().get("/api/ready")).body.data;
const alive = async (stage: Stage) => (await stage.person().get("/api/health")).body.data;
const receipts = (stage: Stage) =>
  stage.mail
    .messages()
    .filter(({ subject }) => subject.includes("receipt"))
    .map(({ to }) => to)
    .toSorted();
const rejected = async ({ ctx: { store } }: Stage) =>
  (await store.db.select().from(auditLog).where(eq(auditLog.action, "mail.rejected"))).length;
const waiting = async ({ ctx: { store } }: Stage) =>
  (await store.db.select().from(outbox).where(eq(outbox.topic, "mail.receipt"))).length;
const attended = async (who: Colleague) =>
  (await who.get("attention")).body.data.find(({ kind }: { kind: string }) => kind === "refusing_mail");

test.each([
  ["postfix", "554 5.7.1 …: Recipient address rejected: Access denied"],
  [
    "ses",
    "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: …",
  ],
  [
    "google",
    "550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to https",
  ],
] as const)(
  "a set-up that %s refuses loses no letter, and everybody is told its words",
  async (relay, words) => {
    await using stage = await openStage();
    const vera = await atDesk(stage, "vera", "viewer");
    await deliverAll(stage);
    stage.mail.setFaults({ mode: "reject-5xx", relay });
    await stage.buy("one@first.example");
    await deliverAll(stage);
    // it may still be about that letter
    expect([await ready(stage), await alive(stage), await attended(vera)]).toEqual([
      expect.objectContaining({ mail: "away" }),
      expect.not.objectContaining({ mail: "refusing" }),
      undefined,
    ]);
    await stage.buy("two@second.example");
    await deliverAll(stage);
    const refusal = expect.stringContaining(words);
    const told = { mail: "refusing", mail_refusal: refusal };
    expect([await ready(stage), await alive(stage)]).toMatchObject([told, told]);
    expect(await attended(vera)).toMatchObject({ count: 1, words: refusal, link: "/desk/system" });
    for (const line of stage.lines) expect(line).not.toContain("second.example");
    expect([await rejected(stage), await waiting(stage), receipts(stage)]).toEqual([0, 2, []]);

    stage.mail.setFaults({ mode: "accept" });
    // one is tried within 20 s, and its acceptance has the others tried
    await later(stage, 20_000);
    expect(receipts(stage)).toEqual(["one@first.example", "two@second.example"]);
    expect(await attended(vera)).toBeUndefined();
    expect(await ready(stage)).toMatchObject({ mail: "up" });
    expect(Object.keys(await alive(stage))).toEqual(["release"]);
  },
);

test("the doctor shows what a server that refuses says, and another process learns of it within 20 s", async () => {
  await using stage = await openStage();
  const words = "554 5.7.1 Access denied";
  const value = JSON.stringify({ since: stage.ctx.now().toISOString(), words });
  const noted = () => commit(stage.ctx.store, [keepFact(stage.ctx, "mail refusing", value)]);
  await noted();
  const { code, out } = await operate(stage, "doctor");
  expect(code).toBe(3);
  expect(out).toMatch(
    /WRONG +mail: The server has refused .*\(554 5\.7\.1 Access denied\): look at MAIL_FROM/,
  );
  expect((await ready(stage)).mail).not.toBe("refusing");
  await stage.shop.periodicJobs.run();
  expect(await ready(stage)).toMatchObject({ mail: "refusing", mail_refusal: words });
  await stage.buy("one@first.example");
  await deliverAll(stage);
  expect((await operate(stage, "doctor")).out).toMatch(/ok +mail: The server answers/);
  // where mail is off, nobody refuses
  await noted();
  await endRefusing(stage.ctx);
  expect(await mailRefusing(stage.ctx)).toBeNull();
});

test("a mailbox that a server refuses by the code alone is given up, and sent to again if it refuses the next as well", async () => {
  await using stage = await openStage();
  stage.mail.setFaults(bare);
  await stage.buy("one@first.example");
  await stage.buy("two@first.example");
  await deliverAll(stage);
  expect([await rejected(stage), await waiting(stage)]).toEqual([2, 0]);
  expect(await ready(stage)).toMatchObject({ mail: "up" });
  // another process, too, knows what was refused
  await stage.restart();
  await stage.buy("three@second.example");
  await deliverAll(stage);
  expect(await ready(stage)).toMatchObject({ mail: "refusing" });
  expect([await rejected(stage), await waiting(stage)]).toEqual([2, 3]);
  stage.mail.setFaults({ mode: "accept" });
  await later(stage, 20_000);
  expect(receipts(stage)).toEqual(["one@first.example", "three@second.example", "two@first.example"]);
});

test("an acceptance in between shows that the refusals were about their recipients", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ ...bare, to: "gone" });
  await stage.buy("gone@first.example");
  await deliverAll(stage);
  await stage.buy("here@first.example");
  await deliverAll(stage);
  await stage.buy("gone@second.example");
  await deliverAll(stage);
  expect(await ready(stage)).toMatchObject({ mail: "up" });
  expect([await rejected(stage), await waiting(stage)]).toEqual([2, 0]);
  await later(stage, hour);
  expect(receipts(stage)).toEqual(["here@first.example"]);
});

test("refusals of one domain, and such that name the mailbox, begin nothing", async () => {
  await using stage = await openStage();
  stage.mail.setFaults(refusing({ reply: "554 5.7.1 We take no mail from you" }));
  await stage.buy("one@first.example");
  await stage.buy("two@FIRST.example");
  await deliverAll(stage);
  // they are tried again after all this
  await stage.ctx.store.db.update(outbox).set({ dueAt: new Date(stage.ctx.now().getTime() + hour) });
  expect(await ready(stage)).toMatchObject({ mail: "away" });
  stage.mail.setFaults(refusing({ reply: "550 5.1.1 No such user" }));
  await stage.buy("three@second.example");
  await deliverAll(stage);
  expect(await ready(stage)).toMatchObject({ mail: "up" });
  expect([await rejected(stage), await waiting(stage)]).toEqual([1, 2]);
  // it answered neither way about the first, so they still count
  stage.mail.setFaults(refusing({ reply: "554 5.7.1 We take no mail from you" }));
  await stage.buy("four@third.example");
  await deliverAll(stage);
  expect(await ready(stage)).toMatchObject({ mail: "refusing" });
});

test.each([
  [
    "553 5.7.1 <{from}>: Sender address rejected: not owned by user",
    "553 5.7.1 …: Sender address rejected: not owned by user",
  ],
  ["530 5.7.0 Authentication required", "530 5.7.0 Authentication required"],
  // even this is not about a recipient, of whom the server has not heard
  ["550 5.1.1 No such mailbox", "550 5.1.1 No such mailbox"],
])("one refusal before the recipient is enough: %s", async (reply, words) => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "reject-5xx", at: "sender", reply });
  await stage.buy("one@first.example");
  await deliverAll(stage);
  expect(await ready(stage)).toMatchObject({ mail: "refusing", mail_refusal: words });
  expect((await alive(stage))["mail"]).toBe("refusing");
  stage.mail.setFaults({ mode: "accept" });
  await later(stage, 20_000);
  expect(Object.keys(await alive(stage))).toEqual(["release"]);
  expect(receipts(stage)).toEqual(["one@first.example"]);
});

test("an announcement counts everybody once, also whom the server refused with all others", async () => {
  await using stage = await openStage();
  for (const email of ["one@first.example", "two@second.example", "three@third.example"])
    await stage.buy(email);
  await deliverAll(stage);
  const { ctx } = stage;
  stage.mail.setFaults(bare);
  await announce(
    ctx,
    { subject: "News", content: "We moved", licensedOnly: false, offer: null },
    { actor: operator, reason: "-" },
  );
  await postAnnouncements(ctx);
  await deliverAll(stage);
  const counted = async () => (await ctx.store.db.select().from(announcements))[0];
  expect(await counted()).toMatchObject({ sent: 0 });
  stage.mail.setFaults({ mode: "accept" });
  await stage.person().post("/api/payments/find", { email: "one@first.example" });
  await deliverAll(stage);
  for (let hours = 0; hours < 3; hours += 1) await later(stage, hour);
  expect(await counted()).toMatchObject({ sent: 3, dropped: 0, deferred: 0 });
  const news = stage.mail.messages().filter(({ subject }) => subject === "News");
  expect(new Set(news.map(({ to }) => to)).size).toBe(news.length);
  expect(news).toHaveLength(3);
});

test("when only announcements wait, one of them is tried, so that the end of the refusals shows within a minute", async () => {
  await using stage = await openStage();
  for (const email of ["one@first.example", "two@second.example"]) await stage.buy(email);
  await deliverAll(stage);
  const { ctx } = stage;
  stage.mail.setFaults({ mode: "reject-5xx", relay: "google" });
  const news = { subject: "News", content: "We moved", licensedOnly: false, offer: null };
  await announce(ctx, news, { actor: operator, reason: "-" });
  await postAnnouncements(ctx);
  await deliverAll(stage);
  expect(await ready(stage)).toMatchObject({ mail: "refusing" });
  stage.mail.setFaults({ mode: "accept" });
  await later(stage, 20_000);
  expect(await ready(stage)).toMatchObject({ mail: "up" });
});

test("a receipt that is refused for five days is given up with a notice, and `shop mail retry` sends all of them", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "reject-5xx", relay: "ses" });
  await stage.buy("one@first.example");
  await stage.buy("two@second.example");
  await deliverAll(stage);
  await later(stage, 5 * day - hour);
  expect(await waiting(stage)).toBe(2);
  await later(stage, 2 * hour);
  expect(await waiting(stage)).toBe(0);
  const notices = stage.lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ kind }) => kind === "letter rejected");
  expect(notices).toHaveLength(2);
  expect(notices[0]?.["sentence"]).toMatch(
    /refused an email \(receipt, about .+\) for five days.*shop mail retry/,
  );
  const { db } = stage.ctx.store;
  const gone = and(eq(auditLog.action, "mail.given_up"), eq(auditLog.actor, "shop"));
  expect(await db.select().from(auditLog).where(gone)).toHaveLength(2);
  // what is given up holds nobody's address
  const kept = await db.select().from(keyValues).where(like(keyValues.name, "mail given-up:%"));
  expect(JSON.stringify(kept)).not.toContain("@");

  stage.mail.setFaults({ mode: "accept" });
  expect(await operated(stage, "mail", "retry", "--reason", "the sender is verified")).toEqual({
    letters: 2,
  });
  await later(stage, minute);
  expect(receipts(stage)).toEqual(["one@first.example", "two@second.example"]);
  expect((await operate(stage, "mail", "retry")).out).toContain("No emails are waiting.");
  expect((await operate(stage, "audit", "show", "--action", "mail.retried")).out).toContain(
    "the sender is verified",
  );
});

test("an email that a server defers for five days is given up as well, and one that it never answered keeps waiting", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "drop-before-250" });
  await stage.buy("one@first.example");
  await deliverAll(stage);
  await later(stage, 6 * day);
  expect(await waiting(stage)).toBe(1);
  stage.mail.setFaults({ mode: "reject-4xx", at: "recipient" });
  await later(stage, hour);
  expect(await waiting(stage)).toBe(0);
  stage.mail.setFaults({ mode: "accept" });
  expect(await operated(stage, "mail", "retry")).toEqual({ letters: 1 });
});
