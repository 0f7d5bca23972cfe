import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { startShop } from "@/shop";
import { operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { Person } from "../../support/people/person";
import { eventually, openStage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-after-restore-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("after a restore the desk says so, shows the same money as before, and what waits for an owner", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const [early, late] = [await stage.buy("early@example.com"), await stage.buy("late@example.com")];
  const { path } = await operated(stage, "backup", "--to", join(scratch, "backups"));
  await stage.buy("after@example.com");
  const disputed = await stage.buy("disputed@example.com");
  const { rows } = (await olga.get("payments")).body.data;
  const { id } = rows.find((row: { session_id: string }) => row.session_id === early.sessionId);
  expect((await olga.post(`payments/${id}/refund`, { reason: "asked for it" })).status).toBe(200);
  await stage.atStripe("refund", { session: late.sessionId, amount: 200 });
  await stage.atStripe("dispute", { session: disputed.sessionId });
  const { totals: before } = await eventually(
    async () => (await olga.get("figures")).body.data,
    ({ totals }) => totals.refunded === 700 && totals.disputed === 500,
  );
  await stage.shop.stop({ noticeMilliseconds: 0 });

  const { now } = stage.ctx;
  const env = { ...settingsOf(stage), DATA_DIR: join(scratch, "machine") };
  const why = ["--reason", "the disk died"];
  expect(await operateWith(env, "restore", path, ...why)).toMatchObject({ code: 0, err: "" });
  const { attention: ofCopy, system: copy } = await seenBy(olga.person, env, now);
  expect(copy.restored).toMatchObject({ copy: true });
  expect(Date.parse(copy.restored.made)).toBeLessThan(Date.parse(copy.restored.at));
  expect(ofCopy).toContainEqual(
    expect.objectContaining({ kind: "restored", count: 1, since: copy.restored.at, link: "/desk/system" }),
  );

  const stoppedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  expect(await operateWith(env, "take-over", "--stopped-at", stoppedAt, ...why)).toMatchObject({ code: 0 });
  const { attention, system, figures } = await seenBy(olga.person, env, now);
  expect(system.restored).toEqual({ ...copy.restored, copy: false });
  expect(attention.map(({ kind }: { kind: string }) => kind)).toEqual(["restored", "disputes"]);
  expect(figures.totals).toEqual({ ...before, active_licences: figures.totals.active_licences });
});

/** What somebody who was at the desk before sees there now. */
async function seenBy(person: Person, env: Record<string, string>, now: () => Date) {
  const { stripe, mail, ...config } = readConfig({ ...env, PORT: "0", TRUSTED_PROXIES: "1" });
  if (!stripe || !mail) throw new Error("the story has Stripe and mail");
  const settings = { ...config, stripe, mail, discord: "off" } as const;
  const shop = await startShop(settings, { now, log: createLog("error", () => {}) });
  try {
    const same = new Person(() => shop.url);
    for (const [name, value] of person.cookies) same.cookies.set(name, value);
    const asked = async (path: string) => {
      const { status, body } = await same.get(`/api/desk/${path}`);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      return body.data;
    };
    return {
      attention: await asked("attention"),
      system: await asked("system"),
      figures: await asked("figures"),
    };
  } finally {
    await shop.stop({ noticeMilliseconds: 0 });
  }
}
