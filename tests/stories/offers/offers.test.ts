import { expect, test } from "bun:test";
import { maxOfferNameLength, maxPrice, maxTermDays } from "@/contract/vocabulary/bounds";
import { maxDevices } from "@/contract/vocabulary/devices";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { soldKey } from "@/domain/licences/keys/keys";
import { beginSelling } from "@/domain/offers/first-offer";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { mailsTo, prove } from "../accounts/people";
import { operate, operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import type { Person } from "../../support/people/person";
import { sellMonth } from "../../support/shop/sell-month";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { checkout, verify } from "../../support/people/buyer";

const why = ["--reason", "a story"];
/** Buys as a person would; resolves to what the result page says. */
async function buy(stage: Stage, person: Person, wanted: object = {}) {
  const session = await checkout(person, wanted);
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  return { session, ...(await verify(person, session)).body.data };
}

test("the default shop sells one offer, and a signed-in customer learns whether it would add anything", async () => {
  await using stage = await openStage();
  const premium = {
    id: "premium",
    name: "Wisp Premium",
    amount: 500,
    currency: "usd",
    days: null,
    devices: 1,
    level: { id: "premium", name: "Wisp Premium" },
    includes: [],
    features: [],
    recurring: null,
  };
  const visitor = stage.person();
  expect((await visitor.get("/api/offers")).body).toEqual({ status: 200, data: [premium] });
  const [timed, forLife] = [stage.person(), stage.person()];
  await timed.register(await stage.handOut(30), "timed");
  await forLife.register(await stage.handOut(), "life");
  expect((await timed.get("/api/offers/")).body.data).toEqual([{ ...premium, adds: true }]);
  expect((await forLife.get("/api/offers")).body.data).toEqual([{ ...premium, adds: false }]);
});

test("an offer that the operator adds is sold at once, and what was sold keeps its terms", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  await sellMonth(stage);
  expect((await buyer.get("/api/offers")).body.data).toMatchObject([
    { id: "premium" },
    { id: "month", name: "One month", amount: 200, days: 30 },
  ]);
  const session = await checkout(buyer, { offer: "month" });
  const terms = ["--amount", "900", "--lifetime", "--name", "Life"];
  await operated(stage, "offers", "change", "month", ...terms, ...why);
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  const bought = (await verify(buyer, session)).body.data;
  expect(bought).toMatchObject({
    status: "Payment Successful",
    offer: "month",
    quantity: 1,
    bill: { asked: 200, off: 0, tax: 0, paid: 200 },
  });
  const [email] = await mailsTo(stage, "buyer@example.com");
  expect(email?.subject).toBe("Your One month license key and receipt");
  expect((await buyer.register(bought.license_key, "ada")).status).toBe(200);
  const [licence] = (await buyer.get("/api/licenses/me")).body.data;
  const days = (Date.parse(licence.expiry_date) - stage.ctx.now().getTime()) / day;
  expect(Math.round(days)).toBe(30);
  const again = await buy(stage, stage.person(), { offer: "month" });
  expect(again.bill).toMatchObject({ asked: 900, paid: 900 });
});

test("a retired offer is neither listed nor sold, and its id is never used again", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  await sellMonth(stage);
  const session = await checkout(buyer, { offer: "month" });
  await operated(stage, "offers", "retire", "month", ...why);
  expect((await buyer.get("/api/offers")).body.data).toHaveLength(1);
  const refused = await buyer.post("/api/stripe/create-checkout-session", {
    currency: "usd",
    offer: "month",
  });
  expect(refused).toMatchObject({ status: 400, body: { code: "offer_unknown", field: "offer" } });
  await stage.atStripe("pay", { session, email: "late@example.com" });
  expect((await verify(buyer, session)).body.data.status).toBe("Payment Successful");
  const add = ["offers", "add", "month", "--name", "Again", "--amount", "100", ...why, "--json"];
  expect((await operate(stage, ...add)).err).toContain("offer_exists");
  expect((await operate(stage, "offers", "retire", "month", ...why)).code).toBe(1);
  expect((await operate(stage, "offers", "retire", "premium", ...why)).err).toContain(
    "That is the only offer on sale. Put another on sale before you retire it.",
  );
  expect(await operated(stage, "offers", "list", "--all")).toMatchObject([
    { id: "premium", state: "on sale" },
    { id: "month", state: expect.stringContaining("retired") },
  ]);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT action FROM audit_log WHERE subject = 'month' AND reason = 'a story' ORDER BY id",
  );
  expect(rows.map(({ action }) => action)).toEqual(["offer.added", "offer.retired"]);
});

test("a shop sells in one currency and ignores offers in another", async () => {
  await using stage = await openStage({ env: { CURRENCY: "eur" } });
  await sellMonth(stage);
  const buyer = stage.person();
  expect((await buyer.get("/api/offers")).body.data).toMatchObject([
    { id: "premium", amount: 500, currency: "eur" },
  ]);
  expect(await operated(stage, "offers", "list", "--all")).toMatchObject([{ currency: "usd" }, {}]);
  const inEuro = (...args: string[]) =>
    operateWith({ ...settingsOf(stage), CURRENCY: "eur" }, "offers", "change", "month", ...args, ...why);
  expect((await inEuro("--name", "A month")).err).toContain(
    "Its price is USD 2.00, and the shop sells in EUR. Enter its new price too.",
  );
  expect((await buyer.get("/api/offers")).body.data).toHaveLength(1);
  const wanted = { currency: "eur", offer: "month" };
  expect((await buyer.post("/api/stripe/create-checkout-session", wanted)).body.field).toBe("offer");
  const dollars = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(dollars).toMatchObject({ status: 400, body: { field: "currency", data: "Only eur is accepted." } });
  expect((await buy(stage, buyer, { currency: "eur" })).bill).toMatchObject({ currency: "eur", paid: 500 });
  expect((await inEuro("--amount", "29")).err).toContain(
    "EUR 0.29 is too little: Stripe takes no less than EUR 0.50",
  );
  expect((await inEuro("--amount", "29.00")).err).toContain("It must be a whole number");
  expect((await inEuro("--amount", "300")).out).toContain("EUR 3.00");
  expect((await buyer.get("/api/offers")).body.data).toHaveLength(2);
});

test("before the first order, another currency reprices the first offer only if nobody has changed it", async () => {
  await using stage = await openStage();
  const sellIn = (currency: string) => beginSelling({ ...stage.ctx, currency });
  const { client } = stage.ctx.store;
  const first = async () =>
    (await client.execute("SELECT amount, currency, version FROM offers WHERE id = 'premium'")).rows[0];
  const log = () => stage.count("audit_log WHERE action = 'offer.changed' AND subject = 'premium'");
  await sellIn("eur");
  expect(await first()).toMatchObject({ amount: 500, currency: "eur", version: 0 });
  await sellIn("eur");
  expect(await log()).toBe(1);
  await sellIn("usd");
  await operate(stage, "offers", "change", "premium", "--amount", "9900", ...why);
  await sellIn("eur");
  expect(await first()).toMatchObject({ amount: 9900, currency: "usd", version: 1 });
  expect(await log()).toBe(3);
});

const wrong: [what: string, wanted: object, field: string][] = [
  ["an unknown offer", { offer: "year" }, "offer"],
  ["an empty offer", { offer: "" }, "offer"],
  ["a quantity of 0", { quantity: 0 }, "quantity"],
  ["a quantity of 1.5", { quantity: 1.5 }, "quantity"],
  ["a quantity of 101", { quantity: 101 }, "quantity"],
  ['a quantity of "3"', { quantity: "3" }, "quantity"],
  ["several as a gift", { quantity: 2, gift: { email: "bob@example.com" } }, "quantity"],
  ["a gift to nobody", { gift: {} }, "gift.email"],
  ["a gift to two addresses", { gift: { email: "a@example.com,b@example.com" } }, "gift.email"],
  ["a gift from two lines", { gift: { email: "a@example.com", from: "a\nb" } }, "gift.from"],
  [
    "a gift with a long message",
    { gift: { email: "a@example.com", message: "x".repeat(501) } },
    "gift.message",
  ],
  ["an unknown code", { code: "NOSUCH" }, "code"],
  ["an empty code", { code: "" }, "code"],
];
test("an invalid order is refused with the name of its field, and nothing is created", async () => {
  await using stage = await openStage();
  for (const [what, wanted, field] of wrong) {
    const refused = await stage
      .person()
      .post("/api/stripe/create-checkout-session", { currency: "usd", ...wanted });
    expect([what, refused]).toMatchObject([what, { status: 400, body: { field } }]);
  }
  expect(await stage.count("payments")).toBe(0);
  expect((await stage.atStripe("ledger", undefined as never)).sessions).toEqual([]);
});

test("three keys of one order each open one account; a partial refund takes none and names them to staff", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  const bought = await buy(stage, buyer, { quantity: 3 });
  expect(bought).toMatchObject({ quantity: 3, bill: { asked: 1500, paid: 1500 }, amount: 1500 });
  const keys: string[] = bought.license_keys;
  expect(new Set(keys).size).toBe(3);
  expect(bought.license_key).toBe(keys[0]);
  expect(keys[0]).toBe(soldKey(stage.ctx, bought.session));
  const [email] = await mailsTo(stage, "buyer@example.com");
  expect(email?.subject).toBe("Your Wisp Premium license keys and receipt");
  for (const key of keys) {
    expect(email?.text).toContain(key);
    expect(email?.html).toContain(key);
  }
  const people = keys.map(() => stage.person());
  for (const [at, person] of people.entries()) {
    expect((await person.register(keys[at] ?? "", `pupil${at}`)).status).toBe(200);
  }
  const [first, second] = people;
  const [row] = (await second!.get("/api/payments/")).body.data;
  expect(row).toMatchObject({ quantity: 3, invoice_url: null });
  expect(row.license_keys[1]).toBe(keys[1]);
  expect(row.license_keys[0]).toContain("•");
  expect((await verify(second!, bought.session)).body.data.email).toContain("•");

  await stage.atStripe("refund", { session: bought.session, amount: 500 });
  expect((await verify(buyer, bought.session)).body.data).toMatchObject({
    status: "Payment Successful",
    bill: { paid: 1500, refunded: 500 },
  });
  await stage.shop.worker.drain();
  const notice = stage.lines.find((line) => line.includes("partial refund"));
  expect(notice).toBeDefined();
  const shown = await operated(stage, "payments", "show", bought.session);
  expect(shown.licences).toHaveLength(3);
  await operated(stage, "licences", "revoke", shown.licences[2].id, ...why);
  const entitled = async () =>
    Promise.all(people.map(async (person) => (await person.get("/api/user/me")).body.data.active_license));
  expect(await entitled()).toEqual([true, true, false]);
  expect((await verify(buyer, bought.session)).body.data.message).toBe(
    "USD 5.00 of this payment was refunded. Its other licenses stay active.",
  );
  await stage.atStripe("refund", { session: bought.session });
  expect((await verify(first!, bought.session)).body.data.status).toBe("Payment Refunded");
  expect(await entitled()).toEqual([false, false, false]);
});

test("a lost dispute revokes every key, redeemed or not, and a won one restores every key", async () => {
  await using stage = await openStage();
  const buyer = stage.person();
  const bought = await buy(stage, buyer, { quantity: 2 });
  const owner = stage.person();
  await owner.register(bought.license_keys[1], "owner");
  const redeem = async () =>
    (await owner.post("/api/licenses/redeem", { key: bought.license_keys[0], timezone: "UTC" })).body.code;
  for (const [status, active, code] of [
    ["needs_response", false, "license_disputed"],
    ["won", true, "license_pointless"],
    ["lost", false, "license_revoked"],
  ] as const) {
    await stage.atStripe("dispute", { session: bought.session, status });
    await verify(buyer, bought.session);
    expect((await owner.get("/api/user/me")).body.data.active_license).toBe(active);
    expect(await redeem()).toBe(code);
  }
});

test("a hundred keys are sold once, however often the order is settled, even after the database was lost", async () => {
  await using stage = await openStage({ webhooks: false });
  const buyer = stage.person();
  const { session, license_keys: keys } = await buy(stage, buyer, { quantity: 100 });
  expect(new Set(keys).size).toBe(100);
  await Promise.all([
    verify(buyer, session),
    reconcilePayments(stage.ctx, stage.shop.checkout),
    verify(buyer, session),
  ]);
  expect(await stage.count("licences")).toBe(100);
  await stage.ctx.store.client.batch(["DELETE FROM licences", "DELETE FROM payments"], "write");
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  expect(await stage.count("licences")).toBe(100);
  expect((await stage.person().register(keys[57], "late")).status).toBe(200);
});

test("a gift's key goes only to its receiver, and the receipt goes to the buyer without it", async () => {
  await using stage = await openStage();
  const [buyer, bob] = [stage.person(), stage.person()];
  await buyer.register(await stage.handOut(1), "buyer");
  const gift = { email: "bob@example.com", from: "Ada <b>", message: "Enjoy!\nAda" };
  const bought = await buy(stage, buyer, { gift });
  expect(bought).toMatchObject({ status: "Payment Successful", gift, email: "buyer@example.com" });
  expect(bought.license_key).toContain("•");
  expect(bought.message).toContain("bob@example.com");
  const [email] = await mailsTo(stage, "bob@example.com");
  const key = /WISP(-[0-9A-Z]{4}){4}/.exec(email?.text ?? "")?.[0] ?? "";
  expect(email?.text).toContain("Enjoy!");
  expect(email?.html).toContain("Ada &lt;b&gt; sent you Wisp Premium.");
  // registering mails a link to confirm the address, at the same time
  const [receipt] = await eventually(
    () =>
      stage.mail
        .messages("buyer@example.com")
        .filter(({ subject }) => subject === "Your receipt for Wisp Premium"),
    (emails) => emails.length > 0,
  );
  expect(receipt?.text).not.toContain(key);
  expect(receipt?.text).toContain("bob@example.com");
  expect((await bob.register(key, "bob")).status).toBe(200);
  const { body } = await bob.get("/api/payments/");
  expect(body.data).toMatchObject([{ license_key: key, gift: { email: "b•••@e•••.com", from: null } }]);
  const seen = await bob.get(`/api/stripe/verify-payment?payment_intent=${body.data[0].payment_id}`);
  expect(seen.body.data.email).toContain("•");
  expect((await buyer.get("/api/payments/")).body.data[0].license_key).toContain("•");
  expect((await verify(buyer, bought.session)).body.data.message).toBe("Your gift has been opened.");
});

test("a gift's page says that its key has been mailed only once the mail server has accepted it", async () => {
  await using stage = await openStage({ webhooks: false });
  const buyer = stage.person();
  stage.mail.setFaults({ mode: "reject-4xx" });
  const bought = await buy(stage, buyer, { gift: { email: "bob@example.com" } });
  await stage.shop.worker.drain();
  const message = async () => (await verify(buyer, bought.session)).body.data.message;
  expect(await message()).toBe("Thank you! The license key goes to bob@example.com.");
  await stage.acceptMail(minute);
  expect(await message()).toBe("Thank you! The license key has been emailed to bob@example.com.");
});

test("the list of an address's orders contains gifts: for the buyer without the key, for the receiver with it", async () => {
  await using stage = await openStage();
  await buy(stage, stage.person(), { gift: { email: "Bob@example.com" } });
  await stage.stripe.flush();
  await stage.shop.worker.drain();
  const [gift] = stage.mail.messages("Bob@example.com");
  const key = /WISP(-[0-9A-Z]{4}){4}/.exec(gift?.text ?? "")?.[0] ?? "none";
  for (const email of ["buyer@example.com", "bob@example.com"]) {
    expect((await stage.person().post("/api/payments/find", { email })).status).toBe(200);
  }
  const listTo = (to: string) =>
    eventually(
      () => stage.mail.messages(to).find(({ subject }) => subject === "Your orders"),
      (email) => email !== undefined,
    );
  const [buyers, receivers] = [await listTo("buyer@example.com"), await listTo("Bob@example.com")];
  expect(buyers?.text).toContain("A gift to B•••@e•••.com");
  expect(buyers?.text).not.toContain(key);
  expect(receivers?.text).toContain(key);
  expect(receivers?.text).not.toContain("USD");
});

test("a gift whose payment is disputed before its email is sent is mailed once the dispute is won", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "reject-4xx" });
  const buyer = stage.person();
  const { session } = await buy(stage, buyer, { gift: { email: "bob@example.com" } });
  await stage.atStripe("dispute", { session, status: "needs_response" });
  await verify(buyer, session);
  await stage.shop.worker.drain();
  await stage.acceptMail(hour);
  expect(stage.mail.messages("bob@example.com")).toHaveLength(0);
  await stage.atStripe("dispute", { session, status: "won" });
  await verify(buyer, session);
  await stage.shop.worker.drain();
  expect(stage.mail.messages("bob@example.com")).toHaveLength(1);
});

test("a promotion code lowers the price on Stripe's page, and every bill shows the discount", async () => {
  await using stage = await openStage();
  for (const wrong of [
    ["--percent", "20", "--until", "2020-01-01"],
    ["--amount", "100000000"],
  ]) {
    const refused = await operate(stage, "codes", "create", "OLD", ...wrong, ...why);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(/--until is in the past|from 1 to 99,999,999/);
  }
  await operated(stage, "codes", "create", "LAUNCH", "--percent", "20", "--uses", "2", ...why);
  const buyer = stage.person();
  const session = await checkout(buyer, { quantity: 2, code: "launch" });
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  const bill = {
    currency: "usd",
    asked: 1000,
    off: 200,
    tax: 0,
    tax_included: 0,
    credit: 0,
    outside: 0,
    paid: 800,
    refunded: 0,
  };
  expect((await verify(buyer, session)).body.data).toMatchObject({
    status: "Payment Successful",
    amount: 800,
    bill,
  });
  expect((await operated(stage, "payments", "show", session)).bill).toEqual(bill);
  const [email] = await mailsTo(stage, "buyer@example.com");
  for (const fact of ["2 × Wisp Premium", "USD 10.00", "−USD 2.00", "USD 8.00"]) {
    expect(email?.text).toContain(fact);
  }
  const carried = await checkout(stage.person(), { code: "LAUNCH" });
  await stage.atStripe("pay", { session: carried, email: "second@example.com" });
  const spent = await stage
    .person()
    .post("/api/stripe/create-checkout-session", { currency: "usd", code: "LAUNCH" });
  expect(spent).toMatchObject({ status: 400, body: { code: "code_unknown", field: "code" } });
  expect(await operated(stage, "codes", "list")).toMatchObject([
    { code: "LAUNCH", off: { percent: 20 }, uses: 2, mostUses: 2, active: false },
  ]);
});

test("a retired code stops working at once, and an unknown one is refused", async () => {
  await using stage = await openStage();
  await operated(stage, "codes", "create", "ONCE", "--amount", "100", ...why);
  expect((await operate(stage, "codes", "create", "ONCE", "--amount", "100", ...why)).err).toContain("ONCE");
  await operated(stage, "codes", "retire", "ONCE", ...why);
  const refused = await stage
    .person()
    .post("/api/stripe/create-checkout-session", { currency: "usd", code: "ONCE" });
  expect(refused.body.field).toBe("code");
  const gone = await operate(stage, "codes", "retire", "ONCE", ...why);
  expect(gone).toMatchObject({ code: 1, err: expect.stringContaining("That code is unknown") });
});

test("a free order issues its licence and receipt, and is found by the shop's own id", async () => {
  await using stage = await openStage();
  await operated(stage, "codes", "create", "FREE", "--percent", "100", ...why);
  const buyer = stage.person();
  await buyer.register(await stage.handOut(1), "buyer");
  const session = await checkout(buyer);
  await stage.atStripe("pay", { session, email: "buyer@example.com", outcome: "declined" });
  // the shop learns of the attempted payment, which fails
  await verify(buyer, session);
  await stage.atStripe("code", { session, code: "FREE" });
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  const bought = (await verify(buyer, session)).body.data;
  expect(bought).toMatchObject({
    status: "Payment Successful",
    amount: 0,
    bill: { asked: 500, off: 500, paid: 0 },
  });
  await eventually(async () => (await verify(buyer, session)).body.data.sent_receipt === true);
  const [row] = (await buyer.get("/api/payments/")).body.data;
  expect(row).toMatchObject({ status: "succeeded", payment_id: row.id, payment_method: null });
  const named = await buyer.get(`/api/stripe/verify-payment?payment_intent=${row.payment_id}`);
  expect(named.body.data.license_key).toBe(bought.license_key);
  expect((await buyer.get("/api/licenses/me")).body.data).toMatchObject([
    { key: bought.license_key, active: true, expiry_date: null },
    { active: true },
  ]);
  await stage.atStripe("alter", { session, payment_status: "paid" });
  expect((await verify(buyer, session)).body.data.status).toBe("Payment Successful");
});

for (const [within, bill] of [
  [false, { asked: 500, off: 0, tax: 95, tax_included: 0, paid: 595 }],
  [true, { asked: 500, off: 0, tax: 0, tax_included: 80, paid: 500 }],
] as const) {
  test(`tax ${within ? "within" : "on top of"} the price, invoice and seller are on the receipt`, async () => {
    const SELLER = "Wisp Software Ltd\\n1 Example Street\\nVAT XX 123";
    await using stage = await openStage({ env: { TAX: "stripe", INVOICES: "stripe", SELLER } });
    await stage.atStripe("tax", { percent: 19, within });
    const buyer = stage.person();
    const bought = await buy(stage, buyer);
    expect(bought).toMatchObject({ status: "Payment Successful", bill });
    expect(bought.seller).toEqual(SELLER.split("\\n"));
    expect(bought.invoice_url).toStartWith(stage.stripe.url);
    expect((await verify(stage.person(), bought.session)).body.data.invoice_url).toBeNull();
    const [email] = await mailsTo(stage, "buyer@example.com");
    for (const fact of [bought.invoice_url, "Wisp Software Ltd", "1 Example Street", "VAT XX 123"]) {
      expect(email?.text).toContain(fact);
      expect(email?.html).toContain(fact);
    }
    expect(email?.text).toContain(within ? "USD 0.80" : "USD 0.95");
    await buyer.register(bought.license_key, "ada");
    expect((await buyer.get("/api/payments/")).body.data).toMatchObject([
      { bill, invoice_url: bought.invoice_url },
    ]);
  });
}

const altered: [what: string, change: { amount_total?: number; edit?: (order: string) => string }][] = [
  ["total", { amount_total: 400 }],
  ["quantity", { edit: (order) => order.replace('"quantity":2', '"quantity":1') }],
];
for (const [what, change] of altered) {
  test(`a session whose ${what} differs from its seal sells nothing and is reported to staff once`, async () => {
    await using stage = await openStage({ webhooks: false });
    const buyer = stage.person();
    const session = await checkout(buyer, { quantity: 2 });
    await stage.atStripe("pay", { session, email: "buyer@example.com" });
    const { sessions } = await stage.atStripe("ledger", undefined as never);
    const { metadata } = sessions[0];
    const changed = change.edit
      ? { metadata: { ...metadata, order_1: change.edit(metadata.order_1) } }
      : change;
    await stage.atStripe("alter", { session, ...changed });
    await Promise.all([verify(buyer, session), verify(buyer, session), verify(buyer, session)]);
    await reconcilePayments(stage.ctx, stage.shop.checkout);
    expect((await verify(buyer, session)).body.data).toMatchObject({
      status: "Payment Failed",
      message: "The payment doesn't match the order, so nothing was sold. Please ask support.",
      license_keys: [],
      bill: { asked: 1000, off: 0, tax: 0, tax_included: 0, paid: 1000 },
    });
    await stage.shop.worker.drain();
    expect(
      stage.lines.filter((line) => line.includes("staff notice") && line.includes("mismatch")),
    ).toHaveLength(1);
    expect(await stage.count("licences")).toBe(0);
  });
}

test("a receipt waits a while for an invoice that Stripe makes late, and then goes without", async () => {
  await using stage = await openStage({ webhooks: false, env: { INVOICES: "stripe" } });
  const receipts = async () => {
    await stage.shop.worker.drain();
    return stage.mail.messages("buyer@example.com");
  };
  const buyBeforeItsInvoice = async () => {
    const buyer = stage.person();
    const session = await checkout(buyer);
    const { invoice } = await stage.atStripe("pay", { session, email: "buyer@example.com" });
    await stage.atStripe("alter", { session, invoice: null });
    await verify(buyer, session);
    return { session, invoice };
  };
  const late = await buyBeforeItsInvoice();
  expect(await receipts()).toEqual([]);
  await stage.atStripe("alter", late);
  stage.advance(5_000);
  expect((await receipts())[0]?.text).toContain(`See the invoice:\n${stage.stripe.url}`);
  await buyBeforeItsInvoice();
  expect(await receipts()).toHaveLength(1);
  stage.advance(31_000);
  const [last, first] = await receipts();
  expect(first).toBeDefined();
  expect(last?.text).not.toContain("invoice");
});

test("receipts that wait for a slow Stripe delay no other email", async () => {
  await using stage = await openStage({ webhooks: false, env: { INVOICES: "stripe" } });
  const seller = stage.person();
  const { license_key } = await buy(stage, seller);
  await stage.person().register(license_key, "ada");
  await prove(stage, "ada");
  for (let at = 0; at < 24; at += 1) {
    const buyer = stage.person();
    const session = await checkout(buyer);
    await stage.atStripe("pay", { session, email: `waiting${at}@example.com` });
    await stage.atStripe("alter", { session, invoice: null });
    await verify(buyer, session);
  }
  await stage.atStripe("faults", { api: { latencyMs: 600_000 } });
  stage.advance(3_000);
  stage.shop.worker.wake();
  await eventually(async () => (await stage.count("outbox WHERE lease IS NOT NULL")) >= 8);
  const asked = performance.now();
  await stage.person().get("/api/user/password/forgot?email=ada@example.com&code=");
  const code = (mails: { subject: string }[]) => mails.some(({ subject }) => /code/i.test(subject));
  await eventually(() => stage.mail.messages("ada@example.com"), code);
  // long before any of the shop's requests time out
  expect(performance.now() - asked).toBeLessThan(10_000);
  expect(stage.mail.messages().filter(({ to }) => to.startsWith("waiting"))).toEqual([]);
  // the receipts go out without an invoice that Stripe doesn't make in time
  await stage.atStripe("faults", { api: { latencyMs: 0 } });
  stage.advance(31_000);
  await stage.shop.worker.drain();
  expect(stage.mail.messages().filter(({ to }) => to.startsWith("waiting"))).toHaveLength(24);
});

test("the result page mentions all keys of an order, whatever became of it", async () => {
  await using stage = await openStage({ webhooks: false });
  const buyer = stage.person();
  const session = await checkout(buyer, { quantity: 2 });
  const message = async () => (await verify(buyer, session)).body.data.message;
  await stage.atStripe("pay", { session, email: "buyer@example.com", outcome: "processing" });
  expect(await message()).toBe("Your bank is still processing the payment.");
  await stage.atStripe("settle", { session, outcome: "succeed" });
  expect(await message()).toBe("Thank you! Your license keys are ready.");
  await stage.atStripe("dispute", { session, status: "needs_response" });
  expect(await message()).toContain("its licenses are paused");
  await stage.atStripe("dispute", { session, status: "won" });
  await stage.atStripe("refund", { session, amount: 500 });
  expect(await message()).toContain("Its licenses stay active.");
  expect((await verify(buyer, session)).body.data.refunded_at).toBeNull();
  await stage.atStripe("refund", { session });
  expect((await verify(buyer, session)).body.data).toMatchObject({
    message: "This payment was refunded, and its licenses have ended.",
    refunded_at: expect.any(String),
  });
  const lost = await buy(stage, buyer, { quantity: 2 });
  await stage.atStripe("dispute", { session: lost.session });
  await stage.atStripe("dispute", { session: lost.session, status: "lost" });
  const { data } = (await verify(buyer, lost.session)).body;
  expect(data.message).toContain("the licenses have ended.");
});

test("the longest order that the forms allow is sold, also where only Stripe still knows it", async () => {
  await using stage = await openStage({ webhooks: false });
  const [name, id] = ["🐈".repeat(maxOfferNameLength), "x".repeat(32)];
  const terms = ["--name", name, "--amount", String(maxPrice), "--days", String(maxTermDays)];
  const ofDevices = ["--devices", String(maxDevices)];
  await operated(stage, "offers", "add", id, ...terms, ...ofDevices, ...why);
  const buyer = stage.person();
  await buyer.register(await stage.handOut(30), "ada");
  // 254 octets
  const email = `${"ü".repeat(32)}@${"ü".repeat(29)}.${"ü".repeat(29)}.${"ü".repeat(29)}.${"x".repeat(12)}`;
  const session = await checkout(buyer, { offer: id, gift: { email } });
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  const { sessions } = await stage.atStripe("ledger", undefined as never);
  expect(Object.keys(sessions[0].metadata)).toContain("order_5");
  await stage.ctx.store.client.execute("DELETE FROM payments");
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  expect((await verify(buyer, session)).body.data.status).toBe("Payment Successful");
  const { rows } = await stage.ctx.store.client.execute("SELECT offer, product, gift_email FROM payments");
  expect(rows).toMatchObject([{ offer: id, product: name, gift_email: email }]);
});
