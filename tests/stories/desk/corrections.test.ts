import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { correctionRow } from "@/contract/wire/desk/rows";
import { minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { keepFact } from "@/core/database/key-values";
import { copyFact, type RestoredCopy } from "@/core/database/restored-copy";
import { corrections } from "@/domain/schema/corrections";
import { payments } from "@/domain/schema/payments";
import { atDesk } from "../../support/people/desk";
import { bought } from "../../support/shop/bought";
import { openStage, type Stage } from "../../support/shop/stage";
import { confirmation, mailsTo, password } from "../accounts/people";

const reason = "ticket 12";
const right = { email: "ada@example.com", reason };

const keysIn = (text: string | null | undefined): string[] =>
  Array.from(text?.match(/WISP(-[0-9A-Z]{4}){4}/g) ?? []);

/** The addresses of an order. */
async function addressesOf(stage: Stage, id: string) {
  const [found] = await stage.ctx.store.db
    .select({ email: payments.email, giftEmail: payments.giftEmail })
    .from(payments)
    .where(eq(payments.id, id));
  return found;
}

/** A gift whose mails are sent, and its key. */
async function given(stage: Stage, to: string) {
  const buyer = stage.person();
  const { body } = await buyer.post("/api/stripe/create-checkout-session", {
    currency: "usd",
    gift: { email: to },
  });
  const session: string = body.data.id;
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  const [mail] = await mailsTo(stage, to);
  const [payment] = await stage.ctx.store.db.select().from(payments).where(eq(payments.sessionId, session));
  return { id: payment?.id ?? "", key: keysIn(mail?.text)[0] ?? "none" };
}

test("support proposes an address, and nothing leaves before an owner approves it with a fresh code", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id, key } = await bought(stage, "ada@exmaple.com");
  const proposed = await sam.post(`payments/${id}/correct-email`, right);
  expect(proposed).toMatchObject({ status: 202, body: { status: 202 } });
  expect(correctionRow.strict().parse(proposed.body.data)).toMatchObject({
    payment: id,
    receiver: false,
    present_email: "ada@exmaple.com",
    email: "ada@example.com",
    state: "proposed",
    proposed_by: { name: "sam" },
    decided_by: null,
    reason,
  });
  const correction: string = proposed.body.data.id;
  expect(await mailsTo(stage, "ada@example.com")).toEqual([]);
  expect(await addressesOf(stage, id)).toMatchObject({ email: "ada@exmaple.com" });
  expect((await olga.get("corrections?state=proposed")).body.data.rows).toEqual([proposed.body.data]);
  expect((await olga.get(`payments/${id}`)).body.data.corrections).toEqual([proposed.body.data]);
  expect((await olga.post("search", { q: correction })).body.data.payments).toMatchObject([{ id }]);
  expect((await olga.get("attention")).body.data).toContainEqual({
    kind: "address_proposals",
    count: 1,
    since: proposed.body.data.created_at,
    due: null,
    link: "/desk/corrections?state=proposed",
  });
  stage.advance(10 * minute);
  expect((await olga.post(`corrections/${correction}/approve`, { reason })).body.code).toBe("confirm");
  expect((await olga.post(`payments/${id}/correct-email`, right)).body.code).toBe("confirm");
  expect(await addressesOf(stage, id)).toMatchObject({ email: "ada@exmaple.com" });
  await olga.confirm();
  const approved = await olga.post(`corrections/${correction}/approve`, { reason: "it is hers" });
  expect(approved.body.data).toMatchObject({
    id: correction,
    state: "approved",
    present_email: "ada@example.com",
    decided_by: { name: "olga" },
  });
  const [receipt] = await mailsTo(stage, "ada@example.com");
  const [fresh = ""] = keysIn(receipt?.text);
  expect([fresh, fresh === key]).toEqual([expect.stringMatching(/^WISP/), false]);
  expect(await mailsTo(stage, "ada@exmaple.com")).toHaveLength(1);
  expect((await stage.person().register(key, "thief")).body.code).toBe("license_unknown");
  for (const verb of ["approve", "decline"])
    expect((await olga.post(`corrections/${correction}/${verb}`, { reason })).body).toMatchObject({
      status: 409,
      code: "correction_decided",
    });
  expect((await olga.get("attention")).body.data).toEqual([]);
  const log = await auditTrail(stage.ctx, { about: id, limit: 50 });
  const entry = (action: string) => log.find((one) => one.action === action);
  expect(entry("payment.correction_proposed")).toMatchObject({ actorRole: "support", reason });
  for (const action of ["payment.correction_approved", "payment.email_corrected"])
    expect(entry(action)).toMatchObject({ actorRole: "owner", reason: "it is hers" });
  expect(JSON.stringify(log)).not.toContain("@");
});

test("an owner declines a proposal, which changes nothing, and it can be proposed again", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id } = await bought(stage, "ada@exmaple.com");
  const { id: correction } = (await sam.post(`payments/${id}/correct-email`, right)).body.data;
  // a stale code is enough to leave everything as it is
  stage.advance(10 * minute);
  expect(
    (await olga.post(`corrections/${correction}/decline`, { reason: "a stranger's" })).body,
  ).toMatchObject({
    status: 200,
    data: { state: "declined", decided_by: { name: "olga" }, present_email: "ada@exmaple.com" },
  });
  expect(await mailsTo(stage, "ada@example.com")).toEqual([]);
  const [declined] = await auditTrail(stage.ctx, { action: "payment.correction_declined", limit: 5 });
  expect(declined).toMatchObject({ subject: id, reason: "a stranger's", actorRole: "owner" });
  expect((await sam.post(`payments/${id}/correct-email`, right)).status).toBe(202);
  for (const verb of ["approve", "decline"])
    expect((await olga.post(`corrections/${newId()}/${verb}`, { reason })).body).toMatchObject({
      status: 404,
      code: "correction_unknown",
    });
});

test("a proposal is refused as the correction would be, and an order has one for each of its addresses", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const { id } = await bought(stage, "ada@exmaple.com");
  const propose = async (order: string, body: object) =>
    (await sam.post(`payments/${order}/correct-email`, { reason, ...body })).body;
  expect((await propose("nothing", right)).code).toBe("payment_unknown");
  expect((await propose(id, { email: "ada@exmaple.com" })).code).toBe("email_unchanged");
  expect((await propose(id, { ...right, receiver: true })).code).toBe("payment_not_gift");
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => propose(id, { email: `ada${at}@example.com` })),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(answers.filter(({ status, code }) => status === 409 && code === "correction_proposed")).toHaveLength(
    99,
  );
  const gift = await given(stage, "bob@exmaple.com");
  expect((await propose(gift.id, { email: "bob@example.com", receiver: true })).status).toBe(202);
  expect((await propose(gift.id, { email: "right@example.com" })).status).toBe(202);
  expect((await propose(gift.id, { email: "eve@example.com", receiver: true })).code).toBe(
    "correction_proposed",
  );
});

test("two hundred presses approve a gift's new address once, and mail its new key once", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id, key } = await given(stage, "bob@exmaple.com");
  const body = { email: "bob@example.com", receiver: true, reason };
  const { id: correction } = (await sam.post(`payments/${id}/correct-email`, body)).body.data;
  const approvals = await Promise.all(
    Array.from({ length: 200 }, () => olga.post(`corrections/${correction}/approve`, { reason })),
  );
  expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(approvals.filter(({ body: { code } }) => code === "correction_decided")).toHaveLength(199);
  const mails = await mailsTo(stage, "bob@example.com");
  expect(mails).toHaveLength(1);
  expect(keysIn(mails[0]?.text)).not.toContain(key);
});

test("an order that changed since it was proposed is refused as usual, and a correction ends what was proposed before", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const gift = await given(stage, "bob@exmaple.com");
  const { id } = await bought(stage, "ada@exmaple.com");
  const receiver = { email: "bob@example.com", receiver: true, reason };
  const proposals = [
    (await sam.post(`payments/${gift.id}/correct-email`, receiver)).body.data,
    (await sam.post(`payments/${id}/correct-email`, right)).body.data,
  ];
  await stage.person().register(gift.key, "bob");
  expect((await olga.post(`payments/${id}/correct-email`, right)).body.data.email).toBe("ada@example.com");
  const codes = [];
  for (const proposal of proposals)
    codes.push((await olga.post(`corrections/${proposal.id}/approve`, { reason })).body.code);
  expect(codes).toEqual(["license_taken", "correction_decided"]);
  const rows = await stage.ctx.store.db.select().from(corrections);
  expect(rows.map(({ state }) => state)).toEqual(["proposed", "declined"]);
  expect(await auditTrail(stage.ctx, { action: "payment.correction_approved", limit: 5 })).toEqual([]);
  expect((await olga.post(`corrections/${proposals[0].id}/decline`, { reason })).status).toBe(200);
  expect(await addressesOf(stage, gift.id)).toMatchObject({ giftEmail: "bob@exmaple.com" });
});

test("a restored copy, which mails nothing, takes no proposal and approves none", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const [{ id }, other] = [await bought(stage, "ada@exmaple.com"), await bought(stage, "bea@exmaple.com")];
  const { id: correction } = (await sam.post(`payments/${id}/correct-email`, right)).body.data;
  const copied = stage.ctx.now().toISOString();
  await commit(stage.ctx.store, [
    keepFact(stage.ctx, copyFact, JSON.stringify({ made: copied, at: copied } satisfies RestoredCopy)),
  ]);
  expect((await sam.post(`payments/${other.id}/correct-email`, right)).body.code).toBe("copy");
  expect((await olga.post(`corrections/${correction}/approve`, { reason })).body.code).toBe("copy");
  expect(await addressesOf(stage, id)).toMatchObject({ email: "ada@exmaple.com" });
});

test("a proposal's address is gone once the buyer or the receiver erased themselves", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const { id, key } = await bought(stage);
  const gift = await given(stage, "bob@example.com");
  const receiver = { email: "robert@example.com", receiver: true, reason };
  expect(
    (await sam.post(`payments/${id}/correct-email`, { ...right, email: "ada@home.example" })).status,
  ).toBe(202);
  expect((await sam.post(`payments/${gift.id}/correct-email`, receiver)).status).toBe(202);
  const [ada, bob] = [stage.person(), stage.person()];
  await ada.register(key, "ada");
  await bob.register(gift.key, "bob");
  for (const [person, to] of [
    [ada, "ada@example.com"],
    [bob, "bob@example.com"],
  ] as const) {
    const { code } = await confirmation(stage, to);
    expect((await person.post("/api/user/email/confirm", { code })).status).toBe(200);
  }
  expect(await stage.ctx.store.db.$count(corrections)).toBe(2);
  expect((await ada.post("/api/user/delete", { password })).status).toBe(200);
  expect((await bob.post("/api/user/delete", { password })).status).toBe(200);
  expect(await stage.ctx.store.db.select().from(corrections)).toEqual([]);
});
