import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { notice, saleNotice } from "@/domain/notice";
import { payments } from "@/domain/schema/payments";
import { waitForBot } from "../../support/people/discord";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** What staff read, oldest first. */
async function noticesOf(stage: Stage): Promise<string[]> {
  const { messages } = await stage.atDiscord("channels/staff/messages");
  return messages.map(({ content }: { content: string }) => content);
}

/** As many sold payments as wanted; resolves to their ids. */
async function sold(stage: Stage, count: number): Promise<string[]> {
  await stage.buy();
  const { db } = stage.ctx.store;
  const [sample] = await db.select().from(payments);
  if (!sample) throw new Error("nothing was sold");
  const copies = Array.from({ length: count }, () => {
    const id = newId();
    return { ...sample, id, sessionId: `cs_${id}`, intentId: `pi_${id}` };
  });
  for (let from = 0; from < copies.length; from += 100) {
    await db.insert(payments).values(copies.slice(from, from + 100));
  }
  return copies.map(({ id }) => id);
}

/** Nothing can be posted until Discord is back. */
async function withoutDiscord(stage: Stage, meanwhile: () => Promise<void>): Promise<void> {
  await stage.atDiscord("faults", { api: { away: true } });
  await meanwhile();
  await stage.atDiscord("faults", { api: { away: false } });
}

test("a dispute is reported in the first message, ahead of a thousand sales that have waited for hours", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const ids = await sold(stage, 1_000);
  await eventually(async () => (await noticesOf(stage)).length === 1);
  await withoutDiscord(stage, async () => {
    // otherwise sales that are being posted already would come first
    const unhurried = { wakes: false };
    const sales = ids.map((id) => saleNotice(stage.ctx, id));
    await commit(stage.ctx.store, sales, unhurried);
    stage.advance(5 * hour);
    const dispute = { kind: "dispute", what: "dispute needs_response" } as const;
    await commit(stage.ctx.store, notice(stage.ctx, `${ids[0]}:dispute`, dispute), unhurried);
  });
  const [, first, ...rest] = await eventually(
    () => {
      stage.advance(minute);
      return noticesOf(stage);
    },
    (all) => all.join("\n").includes("sales"),
  );
  expect(first?.split("\n")).toEqual([
    expect.stringMatching(/^• Dispute needs response: USD 5\.00, /),
    "• 1000 sales: USD 5,000.00",
  ]);
  expect(rest).toEqual([]);
});

test("a slow answer from Stripe about a dispute's deadline delays no notice", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const ids = await sold(stage, 12);
  await eventually(async () => (await noticesOf(stage)).length === 1);
  await stage.atStripe("faults", { api: { latencyMs: 600_000 } });
  await commit(stage.ctx.store, [
    ...ids.flatMap((id) =>
      notice(stage.ctx, `${id}:dispute`, { kind: "dispute", what: "dispute needs_response" }),
    ),
    ...notice(stage.ctx, "elsewhere", { kind: "trouble", sentence: "Something else." }),
  ]);
  stage.advance(10_000);
  const lines = await eventually(
    () => noticesOf(stage),
    (all) => all.join("\n").includes("Something else."),
  );
  expect(lines.join("\n").match(/Dispute needs response/g)).toHaveLength(12);
  await stage.atStripe("faults", { api: { latencyMs: 0 } });
});

test("of two hundred refunds at once, more than a hundred are reported in one turn, and none is truncated", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const ids = await sold(stage, 200);
  await eventually(async () => (await noticesOf(stage)).length === 1);
  await commit(
    stage.ctx.store,
    ids.flatMap((id) => notice(stage.ctx, `${id}:refund`, { kind: "refund" })),
  );
  const lines = (one: string[]) => one.flatMap((text) => text.split("\n")).slice(1);
  const everything = await eventually(
    () => {
      stage.advance(10_000);
      return noticesOf(stage);
    },
    (seen) => lines(seen).length >= 200,
  );
  for (const line of lines(everything)) expect(line).toStartWith("• Refund: USD 5.00, pi");
  expect(new Set(lines(everything)).size).toBe(200);
  // after the sale's message, the five that are posted at once every ten seconds
  expect(lines(everything.slice(0, 6)).length).toBeGreaterThan(100);
});

test("when Discord fails halfway through a batch, the messages already posted are not posted again", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const ids = await sold(stage, 60);
  await eventually(async () => (await noticesOf(stage)).length === 1);
  // the first message counts as posted, though nobody reads it; the second one and its repeat fail
  const path = `/channels/${stage.discord.staffChannelId}/messages`;
  const taken = { fail: "answer", answer: { status: 200, body: { id: "1" } }, path, method: "POST" };
  const failing = { fail: 503, count: 2, path, method: "POST" };
  await stage.atDiscord("faults", { api: { next: [taken, failing] } });
  await commit(
    stage.ctx.store,
    ids.flatMap((id) => notice(stage.ctx, `${id}:refund`, { kind: "refund" })),
  );
  await eventually(async () => {
    stage.advance(10_000);
    return (await stage.count("outbox WHERE topic = 'staff.notice'")) === 0;
  });
  const lines = (await noticesOf(stage)).slice(1).flatMap((text) => text.split("\n"));
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeLessThan(60);
});
