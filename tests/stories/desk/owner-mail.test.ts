import { expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { ownerNews } from "@/domain/schema/owner-mail";
import { reportOnce } from "@/domain/notices/report-once";
import { atDesk } from "../../support/people/desk";
import { bought } from "../../support/shop/bought";
import { openStage, type Stage } from "../../support/shop/stage";

const reason = "it never started";

async function runJobs(stage: Stage): Promise<void> {
  await stage.shop.worker.drain();
  await stage.shop.periodicJobs.run();
  await stage.shop.worker.drain();
}

const digests = (stage: Stage, name: string) =>
  stage.mail
    .messages(`${name}@example.com`)
    .filter(({ text }) => text?.includes("you're an owner of the shop"));

test("in a shop without a staff channel, owners are mailed disputes, proposals, stuck jobs and failed backups, at most once an hour", async () => {
  await using stage = await openStage();
  const [sam] = [
    await atDesk(stage, "sam", "support"),
    await atDesk(stage, "olga", "owner"),
    await atDesk(stage, "oskar", "owner"),
  ];
  const { id } = await bought(stage, "ada@example.com");
  const other = await bought(stage, "bea@example.com");
  await runJobs(stage);
  expect(digests(stage, "olga")).toHaveLength(0);
  await sam.post(`payments/${id}/refund`, { reason });
  await sam.post(`payments/${other.id}/correct-email`, { email: "bee@example.com", reason });
  await runJobs(stage);
  expect(digests(stage, "olga")).toHaveLength(1);
  expect(digests(stage, "oskar")).toHaveLength(1);
  expect(digests(stage, "sam")).toHaveLength(0);
  expect(digests(stage, "olga")[0]?.text).toContain("Support proposes to refund USD 5.00");
  expect(digests(stage, "olga")[0]?.text).toContain("Support proposes another address for pi_");
  expect(digests(stage, "olga")[0]?.text).not.toContain("bee@example.com");

  await stage.atStripe("dispute", { session: other.sessionId });
  await reportOnce(stage.ctx, "backup", { kind: "backup", sentence: "The backup that was due failed." });
  await runJobs(stage);
  expect(digests(stage, "olga")).toHaveLength(1);
  stage.advance(hour);
  await runJobs(stage);
  const [second] = digests(stage, "olga").filter(({ text }) => !text?.includes("proposes"));
  expect(digests(stage, "olga")).toHaveLength(2);
  expect(second?.text).toContain("Answer by");
  expect(second?.text).toContain("The backup that was due failed.");
  stage.advance(hour);
  await runJobs(stage);
  expect(digests(stage, "olga")).toHaveLength(2);
  stage.advance(8 * day);
  await stage.shop.periodicJobs.run();
  expect(await stage.ctx.store.db.$count(ownerNews)).toBe(0);
});

test("an owner turns off what they don't want to be mailed about, for themselves", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  await atDesk(stage, "oskar", "owner");
  const all = {
    disputes: true,
    refund_proposals: true,
    address_proposals: true,
    stuck_jobs: true,
    failed_backups: true,
  };
  expect((await olga.get("me/notices")).body.data).toEqual(all);
  const chosen = await olga.post("me/notices", { refund_proposals: false });
  expect(chosen.body.data).toEqual({ ...all, refund_proposals: false });
  expect((await olga.post("me/notices", { stuck_jobs: false })).body.data).toEqual({
    ...all,
    refund_proposals: false,
    stuck_jobs: false,
  });
  await sam.post(`payments/${(await bought(stage, "ada@example.com")).id}/refund`, { reason });
  await runJobs(stage);
  expect(digests(stage, "olga")).toHaveLength(0);
  expect(digests(stage, "oskar")).toHaveLength(1);
});

test("an owner whose address is OWNER_EMAIL gets no second mail", async () => {
  await using stage = await openStage({ env: { OWNER_EMAIL: "olga@example.com" } });
  const sam = await atDesk(stage, "sam", "support");
  await atDesk(stage, "olga", "owner");
  await sam.post(`payments/${(await bought(stage, "ada@example.com")).id}/refund`, { reason });
  await runJobs(stage);
  expect(digests(stage, "olga")).toHaveLength(0);
  const notices = stage.mail.messages("olga@example.com").filter(({ text }) => text?.includes("OWNER_EMAIL"));
  expect(notices).toHaveLength(1);
});
