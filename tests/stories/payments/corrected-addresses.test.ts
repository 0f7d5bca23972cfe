import { operator } from "@/core/base/actor";
import { checkout } from "../../support/people/buyer";
import { auditTrail } from "@/core/database/audit";
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { keyOf } from "@/domain/licences/keys/issue";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";
import { rotateSecrets } from "@/domain/secrets/rotate";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";

const why = ["--reason", "a story"];

async function placeOrder(stage: Stage, email: string, wanted: object = {}) {
  const buyer = stage.person();
  const session = await checkout(buyer, wanted);
  await stage.atStripe("pay", { session, email });
  return { buyer, session, shown: () => shown(buyer, session) };
}

const shown = async (person: ReturnType<Stage["person"]>, session: string): Promise<string[]> =>
  (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data.license_keys;

const keysIn = (text: string | null | undefined): string[] =>
  Array.from(text?.match(/WISP(-[0-9A-Z]{4}){4}/g) ?? []);
const correct = (stage: Stage, session: string, to: string, ...more: string[]) =>
  operated(stage, "payments", "correct-email", session, to, ...more, ...why);
const codeOf = async (stage: Stage, key: string, name: string) =>
  (await stage.person().register(key, name)).body.code ?? "registered";

/** The database without its orders, as after losing it. */
async function loseOrders(stage: Stage) {
  await stage.ctx.store.db.delete(licences);
  await stage.ctx.store.db.delete(payments);
}

test("keys that went to a mistyped address are replaced when it is corrected, and those in use stay", async () => {
  await using stage = await openStage();
  const { session, shown } = await placeOrder(stage, "stranger@example.com", { quantity: 3 });
  const first = await shown();
  expect(keysIn((await mailsTo(stage, "stranger@example.com"))[0]?.text)).toEqual(first);
  expect(await codeOf(stage, first[1] ?? "", "redeemer")).toBe("registered");
  const corrected = await correct(stage, session, "buyer@example.com");
  expect(corrected).toMatchObject({ email: "buyer@example.com", replaced: 2 });
  const now = await shown();
  expect(now[1]).toContain("•");
  const fresh = [now[0] ?? "", now[2] ?? ""];
  expect(fresh.filter((key) => first.includes(key))).toEqual([]);
  const [receipt] = await mailsTo(stage, "buyer@example.com");
  expect(keysIn(receipt?.text)).toEqual(fresh);
  expect(receipt?.text).toContain(now[1] ?? "none");
  for (const key of [first[0], first[2]])
    expect(await codeOf(stage, key ?? "", "thief")).toBe("license_unknown");
  expect(await codeOf(stage, fresh[0] ?? "", "buyer")).toBe("registered");
  expect(await mailsTo(stage, "stranger@example.com")).toHaveLength(1);
});

test("correcting an address before anything was mailed to it leaves the keys as they are", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "reject-4xx", at: "sender" });
  const { session, shown } = await placeOrder(stage, "stranger@example.com");
  const first = await shown();
  await stage.shop.worker.drain();
  expect((await correct(stage, session, "buyer@example.com")).replaced).toBe(0);
  await stage.acceptMail(minute);
  expect(keysIn((await mailsTo(stage, "buyer@example.com"))[0]?.text)).toEqual(first);
  expect(await shown()).toEqual(first);
});

test("a receipt counts as mailed if the connection broke before the server confirmed it", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "drop-before-250", stored: true });
  const { session, shown } = await placeOrder(stage, "stranger@example.com");
  const first = await shown();
  await stage.shop.worker.drain();
  expect(keysIn(stage.mail.messages("stranger@example.com")[0]?.text)).toEqual(first);
  expect((await correct(stage, session, "buyer@example.com")).replaced).toBe(1);
  stage.mail.setFaults({ mode: "accept" });
  expect(await shown()).not.toEqual(first);
});

test("a gift's key is replaced when its receiver is corrected, and not when its buyer is", async () => {
  await using stage = await openStage();
  const { session, shown } = await placeOrder(stage, "byuer@example.com", {
    gift: { email: "stranger@example.com" },
  });
  await shown();
  const [old = ""] = keysIn((await mailsTo(stage, "stranger@example.com"))[0]?.text);
  expect((await correct(stage, session, "buyer@example.com")).replaced).toBe(0);
  expect((await correct(stage, session, "bob@example.com", "--receiver")).replaced).toBe(1);
  const [fresh = ""] = keysIn((await mailsTo(stage, "bob@example.com"))[0]?.text);
  expect(fresh).not.toBe(old);
  expect(await codeOf(stage, old, "thief")).toBe("license_unknown");
  expect(await codeOf(stage, fresh, "bob")).toBe("registered");
  expect(
    (await operate(stage, "payments", "correct-email", session, "x@example.com", "--receiver", ...why)).code,
  ).toBe(1);
});

test("a database rebuilt from Stripe has the new keys, not the old ones", async () => {
  await using stage = await openStage();
  const { buyer, session, shown: seen } = await placeOrder(stage, "stranger@example.com", { quantity: 2 });
  const first = await seen();
  await mailsTo(stage, "stranger@example.com");
  await correct(stage, session, "typo@example.com");
  await mailsTo(stage, "typo@example.com");
  await correct(stage, session, "buyer@example.com");
  const fresh = await seen();
  // one of them leaked once more
  const { key: third } = await operated(stage, "licences", "rotate", fresh[1] ?? "", ...why);
  await stage.shop.worker.drain();
  await loseOrders(stage);
  await shown(stage.person(), session);
  const { db } = stage.ctx.store;
  const revived = (await db.select().from(licences).orderBy(licences.paymentIndex)).map((one) =>
    keyOf(stage.ctx, one),
  );
  expect(revived).toEqual([fresh[0] ?? "", third]);
  for (const key of [...first, fresh[1] ?? ""])
    expect(await codeOf(stage, key, "thief")).toBe("license_unknown");
  // metadata that somebody else wrote restores no key
  await loseOrders(stage);
  const metadata = await stage.shop.checkout.read(session);
  const forged = metadata?.writtenKeyVersions?.replace(/^\d+/, "7") ?? "";
  await stage.shop.checkout.writeKeyVersions(session, forged);
  await shown(buyer, session);
  expect(await codeOf(stage, first[0] ?? "", "nobody")).toBe("registered");
});

test("a backup restored from before a correction gets the new key as soon as its order is settled again", async () => {
  await using stage = await openStage();
  const { session, shown: seen } = await placeOrder(stage, "stranger@example.com");
  const [first = ""] = await seen();
  await mailsTo(stage, "stranger@example.com");
  const { db } = stage.ctx.store;
  const backup = { payments: await db.select().from(payments), licences: await db.select().from(licences) };
  await correct(stage, session, "buyer@example.com");
  await stage.shop.worker.drain();
  const [fresh = ""] = await seen();
  const [row] = backup.licences;
  await db.update(payments).set({ keyEditions: null });
  if (row)
    await db
      .update(licences)
      .set({ keyHash: row.keyHash, keySealed: row.keySealed })
      .where(eq(licences.id, row.id));
  expect(await seen()).toEqual([fresh]);
  const replaced = { about: row?.id, action: "licence.key_rotated", limit: 9 };
  expect(await auditTrail(stage.ctx, replaced)).toHaveLength(2);
  expect(await codeOf(stage, first, "thief")).toBe("license_unknown");
  expect(await codeOf(stage, fresh, "buyer")).toBe("registered");
});

test("after a correction and a new secret, an order rebuilt from Stripe has the key that was mailed", async () => {
  await using stage = await openStage();
  const { session, shown: seen } = await placeOrder(stage, "stranger@example.com");
  await seen();
  await mailsTo(stage, "stranger@example.com");
  await correct(stage, session, "buyer@example.com");
  await stage.shop.worker.drain();
  const [corrected = ""] = await seen();
  await stage.restart({ secrets: { secretKey: Buffer.alloc(32, 9), secretKeyOld: Buffer.alloc(32, 7) } });
  expect(await rotateSecrets(stage.ctx, { actor: operator, reason: "-" })).toMatchObject({ reissued: 1 });
  const mails = await mailsTo(stage, "buyer@example.com");
  const [reissued = ""] = keysIn(mails[0]?.text);
  expect(reissued).not.toBe(corrected);
  expect(await seen()).toEqual([reissued]);
});
