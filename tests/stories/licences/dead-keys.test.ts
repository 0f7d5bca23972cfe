import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { rotateSecrets } from "@/domain/secrets/rotate";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";

const why = ["--reason", "a story"];
const keys = /WISP(-[0-9A-Z]{4}){4}/g;
const settle = (stage: Stage, session: string) =>
  stage.person().get(`/api/stripe/verify-payment?session_id=${session}`);

const kinds = ["good", "revoked", "refunded", "disputed", "suspended", "blocked"] as const;
type Kind = (typeof kinds)[number];
const mailboxOf = (kind: Kind) => `${kind}@example.com`;

/** A buyer for each state that an unredeemed licence can be in, all mailed a receipt while it stood. */
async function buyers(stage: Stage) {
  const bought = new Map<Kind, { key: string; sessionId: string }>();
  for (const kind of kinds) bought.set(kind, await stage.buy(mailboxOf(kind)));
  for (const kind of kinds) await mailsTo(stage, mailboxOf(kind));
  const of = (kind: Kind) => bought.get(kind) ?? { key: "", sessionId: "" };
  await operated(stage, "licences", "revoke", of("revoked").key, ...why);
  await operated(stage, "licences", "suspend", of("suspended").key, ...why);
  await operated(stage, "blocks", "add", "email", mailboxOf("blocked"), ...why);
  await stage.atStripe("refund", { session: of("refunded").sessionId });
  await stage.atStripe("dispute", { session: of("disputed").sessionId });
  for (const kind of ["refunded", "disputed"] as const) await settle(stage, of(kind).sessionId);
  for (const kind of kinds) await mailsTo(stage, mailboxOf(kind));
  return of;
}

test("a list of orders shows the keys of valid licences only", async () => {
  await using stage = await openStage();
  const of = await buyers(stage);
  for (const kind of kinds) {
    await stage.person().post("/api/payments/find", { email: mailboxOf(kind) });
    const list = (await mailsTo(stage, mailboxOf(kind))).find(({ subject }) => subject === "Your orders");
    expect([kind, list?.text?.match(keys) ?? []]).toEqual([kind, kind === "good" ? [of(kind).key] : []]);
    expect(list?.text).toContain(of(kind).key.slice(-4));
  }
});

test("replacing the shop's secret mails no key of a licence that isn't valid, and winning its dispute mails the key", async () => {
  await using stage = await openStage();
  const of = await buyers(stage);
  await stage.restart({ secrets: { secretKey: Buffer.alloc(32, 9), secretKeyOld: Buffer.alloc(32, 7) } });
  const rotated = await rotateSecrets(stage.ctx, { actor: operator, reason: "-" });
  expect([rotated.reissued, rotated.withheld.length]).toEqual([6, 4]);
  const mailed = async (kind: Kind) =>
    (await mailsTo(stage, mailboxOf(kind))).flatMap(({ text }) => text?.match(keys) ?? []);
  for (const kind of kinds) {
    const fresh = (await mailed(kind)).filter((key) => key !== of(kind).key);
    expect([kind, fresh.length]).toEqual([kind, kind === "good" ? 1 : 0]);
  }
  await stage.atStripe("dispute", { session: of("disputed").sessionId, status: "won" });
  await settle(stage, of("disputed").sessionId);
  const [fresh = ""] = await mailed("disputed");
  expect(fresh).not.toBe(of("disputed").key);
  expect((await stage.person().register(fresh, "disputed")).status).toBe(200);
});

test("a key that staff resend is not mailed if its licence becomes invalid before the email is sent", async () => {
  await using stage = await openStage();
  const { key, sessionId } = await stage.buy("buyer@example.com");
  await mailsTo(stage, "buyer@example.com");
  stage.mail.setFaults({ mode: "reject-4xx", at: "sender" });
  await operated(stage, "payments", "resend", sessionId, ...why);
  await stage.shop.worker.drain();
  await operated(stage, "licences", "suspend", key, ...why);
  await stage.acceptMail(minute);
  const [again] = await mailsTo(stage, "buyer@example.com");
  expect(again?.text?.match(keys)).toBeNull();
});
