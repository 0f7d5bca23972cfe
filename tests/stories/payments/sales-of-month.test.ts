import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { day, minute } from "@/contract/vocabulary/time";
import { addOffer } from "@/domain/offers/change";
import { readBooks } from "@/domain/payments/books/read-books";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { readCsv } from "@/domain/imports/read-csv";
import { operateWith, operated, settingsOf } from "../../support/operator/run-operator";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  by,
  checkout,
  customer,
  happens,
  openInvoice,
  openSubscriptionShop,
  pass,
  paymentOf,
  subscriber,
} from "../subscriptions/subscriber";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-sales-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
const reason = "the books";
const timeZone = "Pacific/Auckland";

type Sum = { currency: string; amount: number; fee: number; net: number };
const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

/** What Stripe's own balance report says of a month, without payouts. */
async function reported({ stripe }: Stage, month: string, zone: string) {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const [from, until] = [first, first.add({ months: 1 })].map(
    (date) => date.toZonedDateTime(zone).epochMilliseconds / 1000,
  );
  const answer = await fetch(`${stripe.url}/_control/balance?from=${from}&until=${until}`);
  const { sums } = (await answer.json()) as { sums: (Sum & { category: string })[] };
  return sums
    .filter(({ category }) => !category.startsWith("payout"))
    .map(({ category: name, currency, amount, fee, net }) => ({ name, currency, amount, fee, net }))
    .toSorted(byName);
}

const monthOf = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toPlainYearMonth();

/** The month as an owner previews it, and the rows of its file by their columns. */
async function monthAt(owner: Colleague, month: string) {
  const { status, body } = await owner.post("sales/export", { month, reason });
  expect([month, status]).toEqual([month, 200]);
  const file = await owner.get(`sales/${month}/sales.csv`);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="sales-${month}.csv"`);
  return { preview: body.data, ...rowsOf(file.body) };
}

function rowsOf(text: string) {
  const [heading, ...lines] = readCsv(text);
  const names = heading?.cells ?? [];
  const rows = lines.map(({ cells }) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
  return { names, rows };
}

const cents = (text: string | undefined) => Math.round(Number(text) * 100);

test("every month's sums equal Stripe's own to the cent: codes, tax, refunds, disputes, debits, a trial, renewals, fees and payouts; money from elsewhere stands apart", async () => {
  await using stage = await openSubscriptionShop(14, {
    TIME_ZONE: timeZone,
    TAX: "stripe",
    INVOICES: "stripe",
  });
  await stage.atStripe("tax", { percent: 19, within: false });
  await addOffer(stage.ctx, { id: "days", name: "30 days", amount: 555, days: 30 }, by);
  await addOffer(stage.ctx, { id: "years", name: "Years", amount: 9_000, days: 3_000 }, by);
  await operated(stage, "codes", "create", "HALF", "--percent", "50", "--reason", reason);
  const begun = stage.ctx.now();
  const pays = async (how: object, code?: string, offer = "days") => {
    const session = await checkout(stage.person(), offer, code);
    await happens(stage, "pay", { session, ...how });
    return session;
  };
  const tax_id = { type: "eu_vat", value: "DE123456789" };
  const half = await pays({ country: "DE", tax_id, card: "4444" }, "HALF");
  const refunded = await pays({ country: "NZ" });
  await refundPayment(stage.ctx, stage.shop.checkout, await paymentOf(stage, refunded), { amount: 123, by });
  // or the disputes would leave nothing to pay out
  await pays({}, undefined, "years");
  const won = await pays({});
  await happens(stage, "dispute", { session: won });
  const lost = await pays({});
  await happens(stage, "dispute", { session: lost });
  const debit = await pays({ outcome: "processing" });
  const failing = await pays({ outcome: "processing" });
  await happens(stage, "fee", { amount: 77, description: "Billing" });
  const { subscription } = await subscriber(stage);
  await happens(stage, "payout", {});
  await pass(stage, 6);
  await happens(stage, "settle", { session: debit, outcome: "succeed" });
  await happens(stage, "settle", { session: failing, outcome: "fail" });
  const back = await happens(stage, "refund", { session: debit, amount: 200, status: "pending" });
  await happens(stage, "refund/move", { refund: back.id, status: "failed" });
  await pass(stage, 10);
  await happens(stage, "dispute", { session: won, status: "won" });
  await happens(stage, "dispute", { session: lost, status: "lost" });
  await pass(stage, 32);
  await happens(stage, "card/mood", { subscription, mood: "declines" });
  await pass(stage, 32);
  await happens(stage, "invoice/outside", { invoice: await openInvoice(stage) });
  await pays({}, undefined, "years");
  await happens(stage, "payout", { automatic: false });

  const olga = await atDesk(stage, "olga", "owner");
  const kinds = new Set<string>();
  const all: Record<string, string>[] = [];
  let outside = 0;
  const last = monthOf(stage.ctx.now(), timeZone);
  for (
    let month = monthOf(begun, timeZone);
    Temporal.PlainYearMonth.compare(month, last) <= 0;
    month = month.add({ months: 1 })
  ) {
    await olga.confirm();
    const { preview, rows } = await monthAt(olga, month.toString());
    const judge = await reported(stage, month.toString(), timeZone);
    const sums = preview.sums.map(({ kind: name, currency, amount, fee, net }: Sum & { kind: string }) => ({
      name,
      currency,
      amount,
      fee,
      net,
    }));
    expect([month.toString(), sums.toSorted(byName)]).toEqual([month.toString(), judge]);
    const ofStripe = rows.filter(({ kind }) => kind !== "outside Stripe");
    const inFile = Map.groupBy(ofStripe, ({ kind = "" }) => kind);
    const added = [...inFile].map(([name, those]) => ({
      name,
      currency: "usd",
      amount: those.reduce((sum, row) => sum + cents(row["amount"]), 0),
      fee: those.reduce((sum, row) => sum + cents(row["stripe_fee"]), 0),
      net: those.reduce((sum, row) => sum + cents(row["net"]), 0),
    }));
    expect(added.toSorted(byName)).toEqual(judge);
    expect(preview.rows).toBe(rows.length);
    for (const { name } of judge) kinds.add(name);
    for (const { amount } of preview.outside) outside += amount;
    const isOver = Temporal.PlainYearMonth.compare(month, last) < 0;
    expect(preview.notes).toEqual(isOver ? [] : ["The month isn't over."]);
    all.push(...rows);
  }
  expect([...kinds].toSorted()).toEqual(
    ["charge", "charge_failure", "dispute", "dispute_reversal", "fee", "refund", "refund_failure"].toSorted(),
  );
  // a month with tax, of which no payment of Stripe's paid anything
  expect(outside).toBe(357);
  expect(all.filter(({ outside_stripe: sum }) => sum !== "")).toMatchObject([
    { kind: "outside Stripe", amount: "", stripe_fee: "", net: "", outside_stripe: "3.57", currency: "USD" },
  ]);

  const rowOf = async (session: string, kind: string) => {
    const { id } = await paymentOf(stage, session);
    return all.find((row) => row["payment"] === id && row["kind"] === kind);
  };
  const { invoiceNumber } = await paymentOf(stage, half);
  expect(await rowOf(half, "charge")).toMatchObject({
    number: invoiceNumber ?? "none",
    offer: "30 days",
    price: "5.55",
    discount: "2.78",
    tax: "0.53",
    tax_kind: "added",
    amount: "3.30",
    stripe_fee: "0.40",
    net: "2.90",
    country: "DE",
    tax_id: "DE123456789",
    tax_id_kind: "eu_vat",
    payout: expect.stringMatching(/^po_/),
    payout_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  expect(await rowOf(refunded, "refund")).toMatchObject({
    amount: "-1.23",
    tax: "",
    country: "NZ",
    price: "",
  });
  expect(await rowOf(won, "dispute_reversal")).toMatchObject({ amount: "6.60", stripe_fee: "0.00" });
  expect(await rowOf(lost, "dispute")).toMatchObject({ amount: "-6.60", stripe_fee: "15.00", net: "-21.60" });
  const late = await rowOf(debit, "charge");
  expect(Date.parse(late?.["paid_on"] ?? "") - Date.parse(late?.["date"] ?? "")).toBe(6 * day);
  // of a payout that a person made, Stripe doesn't say what it paid out
  const renewals = all.filter(({ offer, kind }) => offer === "A month" && kind === "charge");
  expect(renewals.map(({ amount, payout }) => [amount, payout])).toEqual([
    ["3.57", ""],
    ["3.57", ""],
  ]);
  expect(all.filter(({ kind }) => kind === "fee")).toMatchObject([
    { amount: "-0.77", description: "Billing", payment: "" },
  ]);
});

test("a key that may not read payouts sells, and the month says why that column is empty, until it may", async () => {
  await using stage = await openStage();
  const key = "rk_test_without_payouts";
  await stage.atStripe("keys", { key, lacks: ["payout_read"] });
  await stage.restart({ stripeKey: key });
  await stage.buy();
  await stage.atStripe("payout", {});
  await stage.shop.periodicJobs.run();
  const olga = await atDesk(stage, "olga", "owner");
  const month = monthOf(stage.ctx.now(), "UTC").toString();
  const without = await monthAt(olga, month);
  expect(without.preview.payouts).toBe(false);
  expect(without.preview.notes.at(-1)).toContain("may not read payouts");
  expect(without.names).toContain("payout (not readable)");
  expect(without.rows.map((row) => row["payout (not readable)"])).toEqual([""]);
  await stage.buy("other@example.com");
  await stage.atStripe("keys", { key, lacks: [] });
  const { preview, rows } = await monthAt(olga, month);
  expect([preview.payouts, rows[0]?.["payout"]]).toEqual([true, expect.stringMatching(/^po_/)]);
  expect(rows[1]?.["payout"]).toBe("");
});

test("a month is an owner's, with a fresh code; while Stripe is away it says what is missing, and the log has both", async () => {
  await using stage = await openStage();
  await stage.buy();
  const month = monthOf(stage.ctx.now(), "UTC").toString();
  const olga = await atDesk(stage, "olga", "owner");
  stage.advance(11 * minute);
  for (const asked of [
    () => olga.post("sales/export", { month, reason }),
    () => olga.get(`sales/${month}/sales.csv`),
  ])
    expect((await asked()).body.code).toBe("confirm");
  await olga.confirm();
  await stage.atStripe("faults", { api: { away: true } });
  const { preview } = await monthAt(olga, month);
  expect(preview).toMatchObject({ rows: 0, read_until: null });
  expect(preview.notes.at(-1)).toContain("hasn't read all of Stripe's books yet");
  const sam = await atDesk(stage, "sam", "support");
  expect((await sam.post("sales/export", { month, reason })).body.code).toBe("forbidden");
  expect((await sam.get(`sales/${month}/sales.csv`)).body.code).toBe("forbidden");
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT action, reason, subject FROM audit_log WHERE action IN ('sales.exported', 'desk.exported') ORDER BY at, id",
  );
  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ["sales.exported", month],
    ["desk.exported", "sales"],
  ]);
});

test("the command writes the same file, for its owner alone, and never over another", async () => {
  await using stage = await openStage();
  await stage.buy();
  const month = monthOf(stage.ctx.now(), "UTC").toString();
  const to = join(scratch, "month.csv");
  const told = await operated(stage, "payments", "sales", month, "--to", to, "--reason", reason);
  expect(told).toMatchObject({
    month,
    rows: 1,
    file: to,
    sums: [{ kind: "charge", amount: 500, fee: 45, net: 455 }],
  });
  expect((await stat(to)).mode & 0o777).toBe(0o600);
  const { rows } = rowsOf(await Bun.file(to).text());
  expect(rows).toMatchObject([{ kind: "charge", amount: "5.00", stripe_fee: "0.45", net: "4.55" }]);
  const again = await operateWith(
    settingsOf(stage),
    "payments",
    "sales",
    month,
    "--to",
    to,
    "--reason",
    reason,
  );
  expect([again.code === 0, again.err]).toEqual([false, expect.stringContaining("already exists")]);
});

test("what is kept with a payment is in its buyer's export; an erasure empties the card alone, and nothing brings it back", async () => {
  await using stage = await openStage({ env: { TAX: "stripe" } });
  await addOffer(stage.ctx, { id: "days", name: "30 days", amount: 500, days: 30 }, by);
  const ada = await customer(stage);
  const session = await checkout(ada, "days");
  const tax_id = { type: "eu_vat", value: "DE123456789" };
  await happens(stage, "pay", { session, email: "ada@example.com", country: "DE", tax_id, card: "4444" });
  await stage.atStripe("payout", {});
  await readBooks(stage.ctx, stage.shop.checkout);
  const kept = async () => {
    const { buyerCountry, taxId, taxIdKind, cardBrand, cardLast4 } = await paymentOf(stage, session);
    return [buyerCountry, taxId, taxIdKind, cardBrand, cardLast4];
  };
  const whole = ["DE", "DE123456789", "eu_vat", "mastercard", "4444"];
  expect(await kept()).toEqual(whole);
  const { data } = (await ada.get("/api/user/export")).body;
  expect(data.payments[0].tax_facts).toMatchObject({
    country: "DE",
    tax_id: "DE123456789",
    tax_id_kind: "eu_vat",
    card_brand: "mastercard",
    card_last4: "4444",
    payout: expect.stringMatching(/^po_/),
  });
  expect(data.payments[0].tax_facts.fee.currency).toBe("usd");

  // as an earlier release left it
  const { client } = stage.ctx.store;
  const forget = async () => {
    await client.execute(
      "UPDATE payments SET buyer_country = NULL, tax_id = NULL, tax_id_kind = NULL, card_brand = NULL, card_last4 = NULL, charge_id = NULL",
    );
    await client.execute("DELETE FROM installation WHERE name LIKE 'stripe_books_%'");
  };
  await forget();
  await readBooks(stage.ctx, stage.shop.checkout);
  expect(await kept()).toEqual(whole);
  await ada.post("/api/user/delete", { password: "a long enough phrase" });
  expect(await kept()).toEqual([...whole.slice(0, 3), null, null]);
  await forget();
  await readBooks(stage.ctx, stage.shop.checkout);
  await happens(stage, "refund", { session });
  expect(await kept()).toEqual([...whole.slice(0, 3), null, null]);
});

test("who redeems a key that somebody else bought is told nothing of the buyer's card and tax id", async () => {
  await using stage = await openStage({ env: { TAX: "stripe" } });
  await addOffer(stage.ctx, { id: "days", name: "30 days", amount: 500, days: 30 }, by);
  const boss = stage.person();
  const session = await checkout(boss, "days");
  const tax_id = { type: "eu_vat", value: "DE123456789" };
  await happens(stage, "pay", { session, email: "boss@example.com", country: "DE", tax_id, card: "4444" });
  await readBooks(stage.ctx, stage.shop.checkout);
  const { license_key: key } = (await boss.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data;
  const ada = await customer(stage);
  expect((await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  const exported = (await ada.get("/api/user/export")).body.data;
  expect(exported.payments).toMatchObject([{ tax_facts: null }]);
  expect(JSON.stringify(exported)).not.toMatch(/DE123456789|4444|mastercard/);
});

test("a month is added up once at a time, however often an owner asks at once", async () => {
  await using stage = await openStage();
  await stage.buy();
  const month = monthOf(stage.ctx.now(), "UTC").toString();
  const olga = await atDesk(stage, "olga", "owner");
  await stage.atStripe("faults", { api: { latencyMs: 50 } });
  const all = await Promise.all(
    Array.from({ length: 6 }, () => olga.post("sales/export", { month, reason })),
  );
  const outcomes = all.map(({ status, body }) => (status === 200 ? "added up" : String(body.code)));
  expect(outcomes.toSorted()).toEqual(["added up", ...Array(5).fill("rate_limited")]);
});
