import { expect, test } from "bun:test";
import { eq, ne } from "drizzle-orm";
import { isoDay, utcDay } from "@/contract/vocabulary/dates";
import { day, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { notice } from "@/domain/notice";
import { payments } from "@/domain/schema/payments";
import { operate, operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { waitForBot } from "../../support/people/discord";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const owner = "owner@example.com";
const tenMinutes = 600_000;

type Mail = ReturnType<Stage["mail"]["messages"]>[number];

/** What the owner has been mailed, oldest first. */
const ownersMail = (stage: Stage): Mail[] => stage.mail.messages(owner).toReversed();

/** Sells a key, and has the buyer's bank dispute the payment. */
async function disputedSale(stage: Stage): Promise<typeof payments.$inferSelect> {
  await stage.buy("buyer@example.com");
  const { db } = stage.ctx.store;
  const [sold] = await db.select().from(payments);
  if (!sold) throw new Error("nothing was sold");
  await stage.atStripe("dispute", { session: sold.sessionId });
  return eventually(
    async () => (await db.select().from(payments).where(eq(payments.id, sold.id)))[0] ?? sold,
    ({ state }) => state === "disputed",
  );
}

/** Lets the ten minutes between two of the owner's mails pass. */
async function nextMail(stage: Stage): Promise<void> {
  await stage.shop.worker.drain();
  stage.advance(tenMinutes);
  stage.shop.worker.wake();
}

const noticesIn = (stage: Stage) =>
  stage.lines
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ message }) => message === "staff notice");

test("without Discord, a dispute's deadline and facts are in the log, the owner's mail, payments show and the doctor", async () => {
  await using stage = await openStage({ env: { OWNER_EMAIL: owner } });
  const { intentId, id } = await disputedSale(stage);
  const due = new Date(stage.ctx.now().getTime() + 14 * day);
  const [logged] = await eventually(
    () => noticesIn(stage).filter(({ kind }) => kind === "dispute"),
    (all) => all.length > 0,
  );
  expect(logged).toMatchObject({
    payment: intentId,
    amount: 500,
    currency: "usd",
    due: isoDay(due),
    reason: "dispute needs_response",
    cause: "fraudulent",
  });
  expect(logged?.["key"]).toMatch(/^\S+•+\S*$/);

  const [mail] = await eventually(
    () => ownersMail(stage),
    (all) => all.length > 0,
  );
  for (const fact of [
    intentId,
    "USD 5.00",
    "this payment.",
    utcDay(due),
    "13 days left",
    "shop payments evidence",
  ]) {
    expect(mail?.text).toContain(fact);
    expect(mail?.html).toContain(fact);
  }
  expect(mail?.subject).toBe("Dispute needs response");

  const shown = await operate(stage, "payments", "show", id);
  expect(shown.out).toMatch(
    /dispute +Needs an answer, USD 5\.00\n.*The cardholder says they didn't make this payment\./,
  );
  expect(shown.out).toMatch(new RegExp(`answer by +${isoDay(due)} .* UTC \\(13 days left\\)`));
  expect(shown.out).toContain(`shop payments evidence ${id}`);
  expect(await operated(stage, "payments", "show", id)).toMatchObject({
    dispute: { status: "needs_response", reason: "fraudulent", amount: 500, currency: "usd" },
  });
  const { out } = await operate(stage, "doctor");
  expect(out).toMatch(new RegExp(`look at +disputes: One is open: ${intentId}, answer by ${isoDay(due)}`));
});

test("the doctor warns of a dispute that awaits an answer, however late its deadline, and counts the others separately", async () => {
  await using stage = await openStage();
  const { id } = await disputedSale(stage);
  const { db } = stage.ctx.store;
  const dueIn = async (milliseconds: number) => {
    await db
      .update(payments)
      .set({ disputeAnswerBy: new Date(Date.now() + milliseconds) })
      .where(eq(payments.id, id));
    return (await operate(stage, "doctor")).out.split("\n").find((line) => line.includes(" disputes: "));
  };
  expect(await dueIn(3 * day + minute)).toMatch(/^look at .*3 days left/);
  expect(await dueIn(3 * day - minute)).toMatch(/^look at .*2 days left/);
  await stage.buy("other@example.com");
  const others = () => db.select().from(payments).where(ne(payments.id, id));
  const session = (await others())[0]?.sessionId;
  for (const status of ["needs_response", "under_review"]) {
    await stage.atStripe("dispute", { session, status });
    await eventually(others, ([other]) => other?.disputeStatus === status);
  }
  expect(await dueIn(-minute)).toMatch(
    /^look at +disputes: 2 are open, of which one awaits an answer: \w+, answer by [^;]*passed[^;]*$/,
  );
});

test("submitting evidence removes the deadline everywhere", async () => {
  await using stage = await openStage({ env: { OWNER_EMAIL: owner } });
  const { id, sessionId } = await disputedSale(stage);
  await stage.atStripe("dispute", { session: sessionId, status: "under_review" });
  const { db } = stage.ctx.store;
  await eventually(
    async () => (await db.select().from(payments).where(eq(payments.id, id)))[0],
    (row) => row?.disputeStatus === "under_review" && row.disputeAnswerBy === null,
  );
  expect((await operate(stage, "payments", "show", id)).out).not.toContain("answer by");
  expect((await operate(stage, "doctor")).out).toMatch(/ok +disputes: One is open, and awaits its outcome\./);
});

test("a thousand notices at once reach the owner in two emails, each once, disputes first, and delay no customer's", async () => {
  await using stage = await openStage({ env: { OWNER_EMAIL: owner } });
  const dispute = await disputedSale(stage);
  await eventually(
    () => ownersMail(stage),
    (all) => all.length === 1,
  );
  for (let from = 0; from < 1_000; from += 100) {
    await commit(
      stage.ctx.store,
      Array.from({ length: 100 }).flatMap((_, at) =>
        notice(stage.ctx, `letter:${from + at}`, {
          kind: "letter rejected",
          sentence: `Letter ${from + at} came back.`,
        }),
      ),
    );
  }
  await commit(stage.ctx.store, [
    ...notice(stage.ctx, `${dispute.id}:dispute again`, { kind: "dispute", what: "dispute needs_response" }),
    ...notice(stage.ctx, `${dispute.id}:refund`, { kind: "refund" }),
  ]);
  await stage.buy("customer@example.com");
  await eventually(
    () => stage.mail.messages(),
    (all) => all.some(({ to }) => to === "customer@example.com"),
  );
  // none within ten minutes of the one before
  expect(ownersMail(stage)).toHaveLength(1);
  await nextMail(stage);
  const [, digest] = await eventually(
    () => ownersMail(stage),
    (all) => all.length === 2,
  );
  const text = digest?.text ?? "";
  expect(digest?.subject).toMatch(/1,?001/);
  expect(text.indexOf(dispute.intentId ?? "-")).toBeLessThan(text.indexOf("came back"));
  expect(text.match(/Letter \d+ came back\./g)).toHaveLength(49);
  expect(text).toContain("951 more: 951 × letter rejected");
  expect(text).not.toContain("Refund:");
  await nextMail(stage);
  await stage.shop.worker.drain();
  expect(ownersMail(stage)).toHaveLength(2);
});

test("the owner's mail waits while the mail server is down and is sent once; the doctor reports a server that refuses the address", async () => {
  await using stage = await openStage({ env: { OWNER_EMAIL: owner } });
  stage.mail.setFaults({ mode: "reject-4xx", times: 1 });
  const problem = { kind: "trouble", sentence: "Something is wrong." } as const;
  await commit(stage.ctx.store, notice(stage.ctx, "one", problem));
  await eventually(
    () => stage.lines.filter((line) => line.includes("a job failed") && line.includes("owner.notice")),
    (all) => all.length === 1,
  );
  await nextMail(stage);
  const [mail] = await eventually(
    () => ownersMail(stage),
    (all) => all.length > 0,
  );
  expect(mail?.text).toContain("Something is wrong.");
  stage.mail.setFaults({ mode: "reject-5xx", times: 1 });
  await commit(stage.ctx.store, notice(stage.ctx, "two", problem));
  await nextMail(stage);
  await eventually(
    () => noticesIn(stage).filter(({ sentence }) => String(sentence).includes("OWNER_EMAIL")),
    (all) => all.length === 1,
  );
  const { out } = await operateWith({ ...settingsOf(stage), OWNER_EMAIL: owner }, "doctor");
  expect(out).toMatch(/WRONG +mail: The mail server refused OWNER_EMAIL/);
});

test("with Discord, staff read every notice and the owner is mailed those that need somebody, even while Discord is away", async () => {
  await using stage = await openStage({ discord: true, env: { OWNER_EMAIL: owner } });
  await waitForBot(stage);
  await stage.atDiscord("faults", { api: { away: true } });
  const { intentId } = await disputedSale(stage);
  const [mail] = await eventually(
    () => ownersMail(stage),
    (all) => all.length > 0,
  );
  expect(mail?.text).toContain(intentId ?? "-");
  expect(mail?.text).not.toContain("Sale");
  await stage.atDiscord("faults", { api: { away: false } });
});

test("without OWNER_EMAIL nothing is mailed, and nothing waits", async () => {
  await using stage = await openStage();
  await disputedSale(stage);
  await stage.shop.worker.drain();
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM outbox WHERE topic LIKE 'owner.%'");
  expect(rows).toHaveLength(0);
  expect(stage.mail.messages().map(({ to }) => to)).not.toContain(owner);
  expect((await operate(stage, "doctor")).out).toMatch(/look at +Discord: .*OWNER_EMAIL/);
});
