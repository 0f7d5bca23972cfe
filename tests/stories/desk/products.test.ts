import { afterAll, expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import { release } from "../../support/shop/publish-release";
import { openStage } from "../../support/shop/stage";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");
const vera = await atDesk(stage, "vera", "viewer");
const reason = "a story";

test("an owner adds, changes and retires offers, and viewers see them", async () => {
  const month = { id: "month", name: "One month", amount: 200, days: 30 };
  const added = await olga.post("offers", { ...month, reason });
  expect(added.body.data).toMatchObject({ ...month, currency: "usd", state: "on_sale" });
  const changed = await olga.post("offers/month/change", { amount: 300, days: null, reason });
  expect(changed.body.data).toMatchObject({ id: "month", name: "One month", amount: 300, days: null });
  const listed = (await vera.get("offers")).body.data;
  expect(listed.rows.map(({ id }: { id: string }) => id)).toEqual(["month", "premium"]);
  expect((await olga.post("offers/month/retire", { reason })).body.data.state).toBe("retired");
  expect((await vera.get("offers?state=on_sale")).body.data.rows).toHaveLength(1);
  expect((await olga.post("offers/month/retire", { reason })).body.code).toBe("offer_unknown");
  expect((await olga.post("offers", { ...month, reason })).body.code).toBe("offer_exists");
});

test("the shop's first offer is renamed, changed and retired like another, but the last one on sale stays", async () => {
  const last = await olga.post("offers/premium/retire", { reason });
  expect([last.status, last.body.code]).toEqual([409, "last_offer"]);
  const gold = { name: "Gold", amount: 900, days: 365, devices: 2 };
  const changed = await olga.post("offers/premium/change", { ...gold, reason });
  expect(changed.body.data).toMatchObject({ id: "premium", ...gold });
  const sold = async () => (await stage.person().get("/api/offers")).body.data;
  expect(await sold()).toMatchObject([{ id: "premium", ...gold }]);
  await olga.post("offers", { id: "silver", name: "Silver", amount: 500, reason });
  expect((await olga.post("offers/premium/retire", { reason })).body.data.state).toBe("retired");
  expect(await sold()).toMatchObject([{ id: "silver" }]);
  const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(opened.status).toBe(200);
  expect(await stage.count("payments WHERE offer = 'silver' AND amount = 500")).toBe(1);
  await stage.restart();
  expect(await sold()).toMatchObject([{ id: "silver" }]);
  const other = await olga.post("offers/nothing/change", { amount: 1, reason });
  expect([other.status, other.body.code]).toEqual([404, "offer_unknown"]);
});

test("one offer that is added twice at once is added once", async () => {
  const wanted = { id: "week", name: "A week", amount: 100, days: 7, reason };
  const answers = await Promise.all(Array.from({ length: 8 }, () => olga.post("offers", wanted)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array(7).fill(409),
  ]);
});

test("a list of offers continues where its page ended", async () => {
  for (const id of ["a1", "a2", "a3"]) await olga.post("offers", { id, name: id, amount: 100, reason });
  const all = (await vera.get("offers")).body.data.rows.map(({ id }: { id: string }) => id);
  const seen: string[] = [];
  for (let next: string | null = ""; next !== null;) {
    const page: { rows: { id: string }[]; next: string | null } = (
      await vera.get(`offers?limit=2${next === "" ? "" : `&after=${next}`}`)
    ).body.data;
    seen.push(...page.rows.map(({ id }) => id));
    ({ next } = page);
  }
  expect(seen).toEqual(all);
});

test("an owner makes and ends promotion codes, which Stripe keeps", async () => {
  const made = await olga.post("codes", { code: "LAUNCH", percent: 20, most_uses: 5, reason });
  expect(made.body.data).toMatchObject({
    code: "LAUNCH",
    takes_off: { percent: 20 },
    most_uses: 5,
    active: true,
  });
  expect(made.body.data.lasts).toBe("once");
  const again = await olga.post("codes", { code: "LAUNCH", percent: 20, reason });
  expect([again.status, again.body.code]).toEqual([502, "checkout_refused"]);
  for (const [code, lasts] of [
    ["TWO", "forever"],
    ["THREE", { months: 3 }],
  ] as const) {
    expect((await olga.post("codes", { code, amount: 100, lasts, reason })).body.data).toMatchObject({
      lasts,
    });
  }
  for (const lasts of ["always", { months: 0 }, { months: 121 }, { months: 1, forever: true }, null]) {
    expect((await olga.post("codes", { code: "FOUR", amount: 100, lasts, reason })).status).toBe(400);
  }
  const first = (await vera.get("codes?limit=2")).body.data;
  expect(first.rows.map(({ code }: { code: string }) => code)).toEqual(["THREE", "TWO"]);
  const second = (await vera.get(`codes?limit=2&after=${first.next}`)).body.data;
  expect(second).toMatchObject({ rows: [{ code: "LAUNCH" }], next: null });
  // the price is 9.00 by now
  const buyer = stage.person();
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd", code: "LAUNCH" });
  await stage.atStripe("pay", { session: opened.body.data.id, email: "buyer@example.com" });
  await stage.stripe.flush();
  const [, , launch] = (await vera.get("codes")).body.data.rows;
  expect(launch).toMatchObject({ uses: 1, brought: { orders: 1, gross: 400, currency: "usd" } });
  const retired = (await olga.post("codes/LAUNCH/retire", { reason })).body.data;
  expect(retired).toMatchObject({ active: false, brought: { orders: 1, gross: 400 } });
  const gone = await olga.post("codes/LAUNCH/retire", { reason });
  expect([gone.status, gone.body.code]).toEqual([404, "code_unknown"]);
});

test("a desk whose Stripe is away says so", async () => {
  await stage.atStripe("faults", { api: { next: [{ fail: 500, count: 50 }] } });
  const listed = await vera.get("codes");
  expect([listed.status, listed.body.code]).toEqual([502, "checkout_unreachable"]);
  await stage.atStripe("faults", { api: { next: [] } });
});

test("an owner writes news, edits release notes and news, and removes news alone", async () => {
  await release(stage, "1.0.0");
  const added = (await olga.post("changelog", { title: "We moved", content: "Faster.", reason })).body.data;
  expect(added).toMatchObject({ title: "We moved", release: false });
  const edited = await olga.post("changelog/1.0.0/edit", { title: "First", reason });
  expect(edited.body.data).toMatchObject({ id: "1.0.0", title: "First", release: true });
  const rows = (await vera.get("changelog")).body.data.rows;
  expect(rows.map(({ title }: { title: string }) => title)).toEqual(["We moved", "First"]);
  const page = (await vera.get("changelog?limit=1")).body.data;
  expect((await vera.get(`changelog?limit=1&after=${page.next}`)).body.data.rows[0].id).toBe("1.0.0");
  expect((await olga.post(`changelog/${added.id}/remove`, { reason })).body.data.id).toBe(added.id);
  expect((await olga.post("changelog/1.0.0/remove", { reason })).body.code).toBe("release_unknown");
  expect((await olga.post(`changelog/${added.id}/edit`, { title: "x", reason })).status).toBe(404);
});

test("an owner blocks and lifts, by what they type or by an account's computer", async () => {
  const added = await olga.post("blocks", { kind: "email", value: " mallory@example.com ", reason });
  expect(added.body.data).toMatchObject({ kind: "email", label: "mallory@example.com", reason });
  const again = await olga.post("blocks", { kind: "email", value: "Mallory@example.com", reason });
  expect([again.status, again.body.code]).toEqual([409, "block_exists"]);
  await olga.post("blocks", { kind: "network", value: "192.0.2.0/24", reason });
  expect((await olga.get("blocks?kind=network")).body.data.rows).toHaveLength(1);
  const first = (await olga.get("blocks?limit=1")).body.data;
  expect(first.rows[0].kind).toBe("network");
  expect((await olga.get(`blocks?limit=1&after=${first.next}`)).body.data.rows[0].kind).toBe("email");
  const unbound = await olga.post("blocks", { kind: "device", customer: vera.person.address, reason });
  expect(unbound.status).toBe(404);
  const wrong = await olga.post("blocks", { kind: "network", value: "0.0.0.0/0", reason });
  expect([wrong.status, wrong.body.field]).toEqual([400, "value"]);
  const lifted = await olga.post(`blocks/${added.body.data.id}/remove`, { reason });
  expect(lifted.body.data.label).toBe("mallory@example.com");
  expect((await olga.post(`blocks/${added.body.data.id}/remove`, { reason })).body.code).toBe(
    "block_unknown",
  );
});

test("a withdrawn release stays in the list, and its share is changed there", async () => {
  await release(stage, "1.1.0");
  const rolled = await olga.post("releases/1.1.0/rollout", { rollout: 10, reason });
  expect(rolled.body.data).toMatchObject({ version: "1.1.0", rollout: 10, current: true });
  expect((await olga.post("releases/1.1.0/yank", { reason })).body.data).toMatchObject({ current: false });
  const rows = (await vera.get("releases?channel=latest")).body.data.rows;
  expect(rows.map((row: { version: string; current: boolean }) => [row.version, row.current])).toEqual([
    ["1.1.0", false],
    ["1.0.0", true],
  ]);
  expect(rows[0].yanked_at).not.toBeNull();
  expect(rows[1].builds.length).toBeGreaterThan(5);
  const gone = await olga.post("releases/1.1.0/rollout", { rollout: 20, reason });
  expect([gone.status, gone.body.code]).toEqual([404, "release_unknown"]);
});

test("an owner sells a year by subscription, and changes its trial for later buyers", async () => {
  const year = { id: "year", name: "A year", amount: 3000, every: "year", trial_days: 14 };
  const added = await olga.post("offers", { ...year, reason });
  expect(added.body.data).toMatchObject({ days: null, recurring: { interval: "year", trial_days: 14 } });
  const mixed = await olga.post("offers", { ...year, id: "mixed", days: 30, reason });
  expect(mixed.body).toMatchObject({ status: 400, field: "days" });
  const changed = await olga.post("offers/year/change", { trial_days: null, reason });
  expect(changed.body.data).toMatchObject({ recurring: { interval: "year", trial_days: null } });
  const onSale = (await stage.person().get("/api/offers")).body.data;
  expect(onSale.find(({ id }: { id: string }) => id === "year")).toMatchObject({
    recurring: { interval: "year", trial_days: null },
  });
});
