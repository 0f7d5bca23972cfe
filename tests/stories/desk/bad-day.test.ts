/** What goes wrong around the shop shows in Attention within a minute, and is gone within a minute of being well. */
import { expect, test } from "bun:test";
import { texts } from "@/brand/legal";
import { hour, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { noteBackup } from "@/domain/backups/record";
import { thisProcess, unlikeProcesses } from "@/domain/system/system";
import { attentionFor } from "@/domain/staff-queries/attention";
import { type Surroundings, watchTroubles } from "@/domain/system/troubles";
import { operate } from "../../support/operator/run-operator";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";

type Line = { kind: string; since: string; words?: string; link: string };
const attended = async (who: Colleague, kind: string): Promise<Line | undefined> =>
  (await who.get("attention")).body.data.find((line: Line) => line.kind === kind);

/** Looks from now on at these surroundings instead of the shop's own. */
async function lookingAt(stage: Stage, seen: Partial<Surroundings>) {
  await stage.shop.periodicJobs.stop();
  const well = { discord: () => "off", webhookSecret: null, backupEveryHours: null, disks: async () => [] };
  return watchTroubles(stage.ctx, { ...well, ...seen } as Surroundings);
}

const refused = (stage: Stage) =>
  fetch(new URL("/api/stripe/webhook", stage.shop.listening), {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": "t=1,v1=00" },
    body: "{}",
  });

test("webhooks with a wrong signature ask for attention for fifteen minutes, or until one is accepted", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const { look } = await lookingAt(stage, { webhookSecret: stage.stripe.webhookSecret });
  const at = stage.ctx.now();
  expect((await refused(stage)).status).toBe(400);
  await look();
  const line = await attended(vera, "refused_events");
  expect(line?.link).toBe("/desk/system");
  expect(Date.parse(line?.since ?? "")).toBeGreaterThanOrEqual(at.getTime());
  stage.advance(10 * minute);
  await refused(stage);
  stage.advance(10 * minute);
  await look();
  expect(await attended(vera, "refused_events")).toMatchObject({ since: line?.since });
  stage.advance(6 * minute);
  await look();
  expect(await attended(vera, "refused_events")).toBeUndefined();
  await refused(stage);
  await look();
  expect(await attended(vera, "refused_events")).toBeDefined();
  await stage.buy();
  await stage.stripe.flush();
  await look();
  expect(await attended(vera, "refused_events")).toBeUndefined();
});

test("an event of Stripe's that no webhook told in five minutes asks for attention until one arrives", async () => {
  await using stage = await openStage({ webhooks: false });
  const vera = await atDesk(stage, "vera", "viewer");
  await stage.shop.periodicJobs.run();
  await stage.buy("first@example.com");
  stage.advance(minute);
  await stage.shop.periodicJobs.run();
  expect(await attended(vera, "missed_events")).toBeUndefined();
  stage.advance(5 * minute);
  await stage.shop.periodicJobs.run();
  expect(await attended(vera, "missed_events")).toMatchObject({ link: "/desk/system" });
  stage.stripe.setWebhookUrl(new URL("/api/stripe/webhook", stage.shop.listening).href);
  await stage.buy("second@example.com");
  await stage.stripe.flush();
  await stage.shop.periodicJobs.run();
  expect(await attended(vera, "missed_events")).toBeUndefined();
});

test("who posts forged webhooks hides no event of Stripe's that never arrived", async () => {
  await using stage = await openStage({ webhooks: false });
  const vera = await atDesk(stage, "vera", "viewer");
  await stage.shop.periodicJobs.run();
  await stage.buy();
  stage.advance(minute);
  await stage.shop.periodicJobs.run();
  stage.advance(5 * minute);
  expect((await refused(stage)).status).toBe(400);
  await stage.shop.periodicJobs.run();
  expect(await attended(vera, "refused_events")).toBeDefined();
  expect(await attended(vera, "missed_events")).toBeDefined();
});

test("a bot that has been disconnected for a minute asks for attention until it is back, also after a restart", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  let state: ReturnType<Surroundings["discord"]> = "away";
  const discord = () => state;
  const before = await lookingAt(stage, { discord });
  const began = stage.ctx.now().getTime();
  await before.look();
  stage.advance(minute / 2);
  await before.look();
  expect(await attended(vera, "discord_away")).toBeUndefined();
  stage.advance(minute / 2);
  await before.look();
  const line = await attended(vera, "discord_away");
  expect(Date.parse(line?.since ?? "")).toBeGreaterThanOrEqual(began);
  const after = watchTroubles(stage.ctx, {
    discord,
    webhookSecret: null,
    backupEveryHours: null,
    disks: async () => [],
  });
  for (state of ["away", "elsewhere"] as const) {
    await after.look();
    expect(await attended(vera, "discord_away")).toEqual(line);
  }
  state = "up";
  await after.look();
  expect(await attended(vera, "discord_away")).toBeUndefined();
});

test("a disk with less than a gibibyte or a twentieth of its space asks for attention, with its space", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const gibibyte = 1024 ** 3;
  let [free, size] = [2 * gibibyte, 100 * gibibyte];
  const { look } = await lookingAt(stage, { disks: async () => [{ folder: "/data", free, size }] });
  await look();
  expect(await attended(vera, "full_disk")).toMatchObject({ words: "2.0 GiB of 100.0 GiB free in /data" });
  [free, size] = [0.5 * gibibyte, 4 * gibibyte];
  await look();
  expect(await attended(vera, "full_disk")).toMatchObject({ words: "512 MiB of 4.0 GiB free in /data" });
  free = gibibyte;
  await look();
  expect(await attended(vera, "full_disk")).toBeUndefined();
});

test("a backup that is two hours late asks for attention until the next is made", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const { ctx } = stage;
  const { look } = await lookingAt(stage, { backupEveryHours: 6 });
  const made = () =>
    commit(ctx.store, [noteBackup(ctx, ctx.now(), { name: "a", place: "/b", bytes: 1, number: 1 })]);
  await look();
  expect(await attended(vera, "overdue_backup")).toBeUndefined();
  await made();
  const due = new Date(ctx.now().getTime() + 6 * hour);
  stage.advance(8 * hour + minute);
  await look();
  const vic = await atDesk(stage, "vic", "viewer");
  const line = await attended(vic, "overdue_backup");
  expect(Math.abs(Date.parse(line?.since ?? "") - due.getTime())).toBeLessThan(minute);
  await made();
  await look();
  expect(await attended(vic, "overdue_backup")).toBeUndefined();
});

test("processes on a database server that differ in settings or brand ask for attention while both run", async () => {
  await using stage = await openStage();
  await stage.shop.scheduler.stop();
  const vera = await atDesk(stage, "vera", "viewer");
  const warned: string[] = [];
  const log = { ...stage.ctx.log, warn: (message: string) => void warned.push(message) };
  const remote = { ...stage.ctx, log, store: { ...stage.ctx.store, remote: true } };
  const around = { discord: () => "off", webhookSecret: null, backupEveryHours: null, disks: async () => [] };
  const { look } = watchTroubles(remote, around as Surroundings);
  const alike = { settings: "[]", brand: "Wisp" };
  const one = thisProcess(remote, alike);
  const former = thisProcess(remote, { settings: "former", brand: "former" });
  await Promise.all([one.note(), former.note()]);
  stage.advance(minute);
  const other = thisProcess(remote, { ...alike, settings: '["CURRENCY"]' });
  const afterAWhile = async (running: { note: () => Promise<void> }[]) => {
    stage.advance(minute);
    for (const process of running) await process.note();
    await look();
    return attended(vera, "unlike_processes");
  };
  expect(await afterAWhile([one, other])).toMatchObject({ words: "settings", link: "/desk/system" });
  await look();
  const sentence = "The shop's processes differ in their settings: give every machine the same, and restart.";
  expect(warned).toEqual([sentence]);
  expect(await unlikeProcesses(remote)).toMatchObject({ sentence });
  expect(await unlikeProcesses({ ...remote, store: stage.ctx.store })).toBeNull();

  const same = thisProcess(remote, alike);
  stage.advance(minute);
  expect(await afterAWhile([one, same])).toBeUndefined();
  const rebranded = thisProcess(remote, { ...alike, brand: "Brushwork" });
  expect(await afterAWhile([one, rebranded])).toMatchObject({ words: "brand" });
});

test("a shop with nothing on sale asks for attention, and doctor says what to do", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  expect(await attended(vera, "nothing_on_sale")).toBeUndefined();
  // as after another currency, in which its price was never entered
  await stage.ctx.store.client.execute("UPDATE offers SET currency = 'eur'");
  expect(await attended(vera, "nothing_on_sale")).toMatchObject({ link: "/desk/products" });
  const { out } = await operate(stage, "doctor", "--json");
  const sentence = "Nothing is on sale in USD: run shop offers add, or shop offers change with --amount.";
  expect(JSON.parse(out)).toContainEqual({ what: "offers", state: "wrong", sentence });
});

test("legal texts that are still templates ask for attention where real money is taken", async () => {
  await using stage = await openStage();
  const live = { ...stage.ctx, livemode: true };
  const kinds = async (ctx: Stage["ctx"]) =>
    (await attentionFor(ctx, { kind: "operator" })).map(({ kind }) => kind);
  const { refunds } = texts;
  expect(await kinds(live)).not.toContain("legal_templates");
  try {
    texts.refunds = `> This is a sample. Have it reviewed.\n\n${refunds}`;
    expect(await kinds(live)).toContain("legal_templates");
    expect(await kinds(stage.ctx)).not.toContain("legal_templates");
  } finally {
    texts.refunds = refunds;
  }
});
