import { expect, test } from "bun:test";
import { deskLists, type DeskList, deskRows } from "@/contract/wire/desk/lists";
import { hour, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { grantLicence } from "@/domain/offers/grant";
import { countEnds } from "@/domain/licences/changes/expire";
import { operated } from "../../support/operator/run-operator";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { addVariedRows } from "../../support/shop/varied-rows";
import { member } from "../accounts/people";

const why = ["--reason", "a story"];

// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
type Row = any;

/** Every row of a list, page after page. */
async function every(who: Colleague, list: DeskList, filters: Record<string, string>, limit: number) {
  const rows: Row[] = [];
  for (let after: string | null = ""; after !== null;) {
    const query = new URLSearchParams({ ...filters, limit: String(limit), ...(after ? { after } : {}) });
    const { status, body } = await who.get(`${list}?${query}`);
    if (status !== 200) throw new Error(`${list}?${query}: ${JSON.stringify(body)}`);
    rows.push(...body.data.rows);
    after = body.data.next;
  }
  return rows;
}

const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
const timeOf = (row: Row): string => row.created_at ?? row.opened_at ?? row.at;

/** What each filter of a list means for a row. */
const meaning: Record<DeskList, Record<string, (row: Row) => string | null>> = {
  customers: {},
  payments: {
    status: (row) => row.status,
    offer: (row) => row.offer,
    customer: (row) => row.customer?.id ?? null,
  },
  licences: {
    status: (row) => row.status,
    offer: (row) => row.offer,
    customer: (row) => row.customer?.id ?? null,
    payment: (row) => row.payment,
  },
  subscriptions: {
    status: (row) => row.status,
    offer: (row) => row.offer,
    customer: (row) => row.customer?.id ?? null,
  },
  tickets: { status: (row) => row.status, waiting_for: (row) => row.waiting_for },
  refunds: { state: (row) => row.state },
  corrections: { state: (row) => row.state },
  audit: {
    actor: (row) => row.actor.id,
    action: (row) => row.action,
    subject: (row) => `${row.subject.kind}:${row.subject.id}`,
  },
};

/** Every combination of a filter's first values, the filter left out among them. */
function combinations(list: DeskList, rows: Row[]): Record<string, string>[] {
  return Object.entries(meaning[list]).reduce<Record<string, string>[]>(
    (all, [name, value]) => {
      const found = [...new Set(rows.map(value))].filter((one) => one !== null);
      const few = name === "payment" ? found.slice(0, 1) : found;
      return all.flatMap((one) => [one, ...few.map((chosen) => ({ ...one, [name]: chosen }))]);
    },
    [{}],
  );
}

/** Tickets that wait for somebody are listed by their waiting. */
const sortedBy = (filters: Record<string, string>, rows: Row[]): Row[] =>
  filters["waiting_for"] === undefined
    ? rows
    : rows.toSorted(
        (one, other) => one.waiting_since.localeCompare(other.waiting_since) || (one.id < other.id ? -1 : 1),
      );

/** Payments are also those of whoever redeemed their licence. */
const fits = (list: DeskList, row: Row, filters: Record<string, string>, redeemers: Map<string, string>) =>
  Object.entries(filters).every(
    ([name, wanted]) =>
      meaning[list][name]?.(row) === wanted ||
      (list === "payments" && name === "customer" && redeemers.get(row.id) === wanted),
  );

test("every filter and every combination of filters finds exactly its rows in their order, whatever the page", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  await addVariedRows(stage, 84);
  const held = await every(olga, "licences", {}, 100);
  const redeemers = new Map<string, string>(
    held.flatMap(({ payment, customer }) => (payment && customer ? [[payment, customer.id]] : [])),
  );
  for (const list of [
    "payments",
    "licences",
    "subscriptions",
    "tickets",
    "refunds",
    "corrections",
    "audit",
  ] as const) {
    // each minute has its limit of calls
    stage.advance(minute);
    const all = await every(olga, list, {}, 100);
    expect(all.length).toBeGreaterThanOrEqual(84);
    for (const row of all) expect(deskRows[list].strict().parse(row)).toEqual(row);
    const sorted = all.toSorted(
      (one, other) => timeOf(other).localeCompare(timeOf(one)) || (other.id < one.id ? -1 : 1),
    );
    expect(idsOf(all)).toEqual(idsOf(sorted));
    for (const [at, filters] of combinations(list, all).entries()) {
      const found = await every(olga, list, filters, at % 3 === 0 ? 7 : 100);
      expect([list, filters, idsOf(found)]).toEqual([
        list,
        filters,
        idsOf(
          sortedBy(
            filters,
            all.filter((row) => fits(list, row, filters, redeemers)),
          ),
        ),
      ]);
    }
  }
});

test("a licence whose end passed is listed as expired before and after that is counted", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  await addVariedRows(stage, 90);
  const before = idsOf(await every(olga, "licences", { status: "expired" }, 5));
  expect(before.length).toBeGreaterThan(2);
  await countEnds(stage.ctx);
  expect(idsOf(await every(olga, "licences", { status: "expired" }, 5))).toEqual(before);
  const active = await every(olga, "licences", { status: "active" }, 5);
  stage.advance(26 * hour);
  // the desk has closed meanwhile
  const otto = await atDesk(stage, "otto", "owner");
  const now = idsOf(await every(otto, "licences", { status: "expired" }, 100));
  const over = active.filter(({ expires_at: end }) => end !== null);
  expect(over.length).toBeGreaterThan(0);
  expect(new Set(now)).toEqual(new Set([...before, ...idsOf(over)]));
});

test("lists have from and to as days or times, the last day whole", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "viewer");
  await addVariedRows(stage, 60);
  for (const list of ["payments", "audit"] as const) {
    const all = await every(olga, list, {}, 100);
    const [first, last] = [all.at(-1), all[Math.floor(all.length / 2)]].map(timeOf) as [string, string];
    const between = await every(olga, list, { from: first, to: last }, 9);
    expect(idsOf(between)).toEqual(idsOf(all.filter((row) => timeOf(row) >= first && timeOf(row) < last)));
    const [from, to] = [first.slice(0, 10), last.slice(0, 10)];
    const days = await every(olga, list, { from, to }, 100);
    expect(idsOf(days)).toEqual(
      idsOf(all.filter((row) => timeOf(row).slice(0, 10) >= from && timeOf(row).slice(0, 10) <= to)),
    );
    expect(await every(olga, list, { from: to, to: from.replace(/^\d{4}/, "1999") }, 100)).toEqual([]);
  }
});

test("a customer's payments have the orders of guests whose keys they redeemed", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { key } = await stage.buy("guest@example.com");
  const ada = stage.person();
  await ada.register(key, "ada");
  const [bought] = (await olga.get("payments")).body.data.rows;
  const { id } = (await ada.get("/api/user/me")).body.data;
  const found = (filters: object) => every(olga, "payments", { customer: id, ...filters }, 1);
  expect(idsOf(await found({}))).toEqual([bought.id]);
  expect(idsOf(await found({ status: "succeeded", offer: "premium" }))).toEqual([bought.id]);
  expect(await found({ status: "refunded" })).toEqual([]);
  expect(await found({ to: "1999-12-31" })).toEqual([]);
  expect((await olga.get(`export/payments/count?customer=${id}`)).body.data.count).toBe(1);
  expect(idsOf((await olga.get(`customers/${id}`)).body.data.payments)).toEqual([bought.id]);
});

test("customers are listed, staff by their role", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const ada = await member(stage, "ada");
  await atDesk(stage, "olga", "owner");
  const all = await every(sam, "customers", {}, 2);
  expect(all.map(({ username }) => username)).toEqual(["olga", "ada", "sam"]);
  for (const row of all) expect(deskRows.customers.strict().parse(row)).toEqual(row);
  const { id } = (await ada.get("/api/user/me")).body.data;
  expect(all[1]).toEqual({
    id,
    username: "ada",
    email: "ada@example.com",
    created_at: expect.any(String),
    email_confirmed: true,
    two_factor: false,
    active_license: true,
    level: { id: "premium", name: "Wisp Premium" },
  });
  expect(all[2]).toMatchObject({ two_factor: true });
  expect((await every(sam, "customers", { staff: "support" }, 1)).map((row) => row.username)).toEqual([
    "sam",
  ]);
  expect(await every(sam, "customers", { staff: "viewer" }, 1)).toEqual([]);
});

test("a licence is listed under the offer that it was sold or given under", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  await stage.ctx.store.client.execute("UPDATE licences SET created_at = 0");
  await stage.buy("buyer@example.com");
  const [{ id }] = (await vera.get("customers")).body.data.rows;
  await stage.ctx.store.client.execute("UPDATE licences SET revoked_at = 1 WHERE account_id IS NOT NULL");
  await operated(
    stage,
    "offers",
    "add",
    "month",
    "--name",
    "Month",
    "--amount",
    "100",
    "--days",
    "30",
    ...why,
  );
  const given = await grantLicence(
    stage.ctx,
    { id },
    { offer: "month" },
    { actor: operator, reason: "a story" },
  );
  const offers = async (filter: string) =>
    (await vera.get(`licences${filter}`)).body.data.rows.map(({ offer }: Row) => offer);
  expect(await offers("")).toEqual(["month", "premium", null]);
  expect(await every(vera, "licences", { offer: "month" }, 5)).toMatchObject([
    { id: given, days: 30, payment: null },
  ]);
  expect(await offers("?offer=premium")).toEqual(["premium"]);
});

test("a page continues only with the same filters, and a mistyped filter shows nothing", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  await addVariedRows(stage, 30);
  const { next } = (await olga.get("payments?limit=2&status=succeeded")).body.data;
  expect((await olga.get(`payments?limit=2&status=succeeded&after=${next}`)).status).toBe(200);
  const refused = async (path: string, field: string) => {
    const { status, body } = await olga.get(path);
    expect([path, status, body.code, body.field]).toEqual([path, 400, "invalid_field", field]);
  };
  for (const path of [
    `payments?after=${next}`,
    `payments?status=failed&after=${next}`,
    `licences?after=${next}`,
    `payments?status=succeeded&after=${next}x`,
    `payments?status=succeeded&after=${"A".repeat(40)}`,
    "audit?after=.",
  ])
    await refused(path, "after");
  await refused("payments?status=succeeded&status=failed", "status");
  await refused("licences?offer=%00", "offer");
  for (const list of deskLists) await refused(`${list}?q=ada`, "q");
});
