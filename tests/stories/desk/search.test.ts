import { expect, test } from "bun:test";
import { desc } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { searchResult } from "@/contract/wire/desk/search";
import { tokenHash } from "@/core/secrets/secrets";
import { accounts } from "@/domain/schema/accounts";
import { sealedKey } from "@/domain/licences/keys/issue";
import { links } from "@/domain/schema/discord";
import { licences } from "@/domain/schema/licences";
import { disputes, stripeRefunds } from "@/domain/schema/money-back";
import { payments } from "@/domain/schema/payments";
import { tickets } from "@/domain/schema/tickets";
import { newId } from "@/core/database/context";
import { operated } from "../../support/operator/run-operator";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { member } from "../accounts/people";

const discordUserId = "123456789012345678";
const nothing = { customers: [], payments: [], licences: [], subscriptions: [], tickets: [], why: {} };

/** The ids of what somebody finds, and why where it doesn't show. */
const finding =
  ({ post }: Colleague) =>
  async (q: string) => {
    const { status, body } = await post("search", { q });
    expect([q, status]).toEqual([q, 200]);
    expect(searchResult.strict().parse(body.data)).toEqual(body.data);
    const { why, ...rows } = searchResult.parse(body.data);
    const ids = Object.entries(rows).map(([kind, found]) => [kind, found.map(({ id }) => id)]);
    return { ...nothing, ...Object.fromEntries(ids), why };
  };

test("staff find people, payments, licences and tickets by whatever names them", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const { key } = await stage.buy("Buyer@Example.com");
  const ada = await member(stage, "ada");
  const { id } = (await ada.get("/api/user/me")).body.data;
  const ticket = (await ada.post("/api/tickets", { topic: "device", question: "Why?" })).body.data;
  await stage.ctx.store.db.insert(links).values({ accountId: id, discordUserId, linkedAt: stage.ctx.now() });
  const [payment] = (await vera.get("payments")).body.data.rows;
  const [bought] = (await vera.get(`licences?payment=${payment.id}`)).body.data.rows;
  const refund = await operated(
    stage,
    "payments",
    "refund",
    payment.id,
    "--amount",
    "100",
    "--reason",
    "why",
  );
  await stage.shop.worker.drain();
  const find = finding(vera);
  const sale = { ...nothing, payments: [payment.id], licences: [bought.id] };
  expect(await find("buyer@example.com")).toEqual(sale);
  expect(await find(" BUYER@EXAMPLE.COM ")).toEqual(sale);
  expect(await find("Buyer@exa")).toEqual(sale);
  expect(await find("buyer@example.org")).toEqual(nothing);
  expect(await find(key)).toEqual(sale);
  expect(await find(key.toLowerCase().replaceAll("-", " "))).toEqual(sale);
  const end = { by: "key", text: key.slice(-4) };
  expect(await find(bought.key)).toEqual({ ...sale, why: { [payment.id]: end } });
  expect(await find(payment.id)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(payment.session_id)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(payment.payment_id)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(refund.refund)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(bought.id.toUpperCase())).toEqual({ ...nothing, licences: [bought.id] });
  const [own] = (await vera.get(`licences?customer=${id}`)).body.data.rows;
  const adas = { ...nothing, customers: [id], licences: [own.id], tickets: [ticket.id] };
  for (const q of ["ada", "AD", "ada@example.com", "Ada@Example.com", "ada@exa", id]) {
    expect([q, await find(q)]).toEqual([q, adas]);
  }
  for (const q of [discordUserId, `<@${discordUserId}>`]) {
    const why = { [id]: { by: "discord", text: discordUserId } };
    expect([q, await find(q)]).toEqual([q, { ...adas, why }]);
  }
  const padded = String(ticket.number).padStart(4, "0");
  for (const q of ["", "#", "ticket-", "Ticket #"].map((before) => before + padded).concat(ticket.id)) {
    expect([q, (await find(q)).tickets]).toEqual([q, [ticket.id]]);
  }
  expect(stage.lines.join("\n")).not.toContain(key);
});

test("staff find an order by what a buyer reads out: a domain, a card, the end of a key", async () => {
  await using stage = await openStage();
  const find = finding(await atDesk(stage, "vera", "viewer"));
  for (const at of [1, 2]) await stage.buy(`buyer${at}@acme.example`);
  const { key } = await stage.buy("ann@mail.acme.example");
  const sold = await stage.ctx.store.db.select().from(payments).orderBy(desc(payments.createdAt));
  const [last, ...others] = sold.map(({ id }) => id);
  expect(sold).toHaveLength(3);
  for (const q of ["acme.example", "@ACME.Example"])
    expect([q, await find(q)]).toEqual([q, { ...nothing, payments: others }]);
  expect((await find("@mail.acme.example")).payments).toEqual([last]);
  expect((await find("example.com")).customers).toHaveLength(1);
  for (const q of ["4242", "•••• 4242", "\uff14\uff12\uff14\uff12"]) {
    const card = { by: "card", text: "4242" };
    const why = Object.fromEntries(sold.map(({ id }) => [id, card]));
    expect([q, await find(q)]).toEqual([q, { ...nothing, payments: sold.map(({ id }) => id), why }]);
  }
  expect(await find("#4242")).toEqual(nothing);
  expect(await find("4343")).toEqual(nothing);
  const end = key.slice(-4);
  for (const q of [end, end.toLowerCase(), `…-${end}`, `Key: ${end}`]) {
    const found = await find(q);
    expect([q, found.payments, found.licences.length]).toEqual([q, [last], 1]);
    expect([q, found.why]).toEqual([q, { [last ?? ""]: { by: "key", text: end } }]);
  }
});

test("staff find an order by any of Stripe's ids", async () => {
  await using stage = await openStage();
  const find = finding(await atDesk(stage, "vera", "viewer"));
  await stage.buy("other@example.com");
  await stage.buy("buyer@example.com");
  const { db } = stage.ctx.store;
  const [sold] = await db.select().from(payments).orderBy(desc(payments.createdAt)).limit(1);
  const session = sold?.sessionId;
  await stage.stripeTells("refund", { session, amount: 100 });
  await stage.stripeTells("dispute", { session, status: "needs_response" });
  const [[refund], [dispute]] = [await db.select().from(stripeRefunds), await db.select().from(disputes)];
  for (const q of [session, sold?.intentId, sold?.chargeId, refund?.id, dispute?.id])
    expect([q, await find(q ?? "")]).toEqual([q, { ...nothing, payments: [sold?.id] }]);
});

test("a gift is found by its recipient's address, and says so", async () => {
  await using stage = await openStage();
  const find = finding(await atDesk(stage, "vera", "viewer"));
  await stage.buy("buyer@example.com");
  const { client } = stage.ctx.store;
  await client.execute("UPDATE payments SET gift_email = 'bea@example.org'");
  const { payments: bought } = await find("buyer@example.com");
  const found = await find("Bea@example.org");
  expect(found.payments).toEqual(bought);
  expect(found.why).toEqual({ [bought[0]]: { by: "receiver", text: "Bea@example.org" } });
});

test("staff find customers and tickets by the name on Discord, the newest tickets first", async () => {
  await using stage = await openStage();
  const find = finding(await atDesk(stage, "vera", "viewer"));
  const ada = await member(stage, "ada");
  const { id } = (await ada.get("/api/user/me")).body.data;
  const { db } = stage.ctx.store;
  const now = stage.ctx.now().getTime();
  await db
    .insert(links)
    .values({ accountId: id, discordUserId, displayName: "Lovelace ✨", linkedAt: stage.ctx.now() });
  const opened = [1, 2, 3, 4, 5, 6, 7].map((number) => ({
    id: newId(),
    number,
    topic: "device",
    memberName: "Zoë",
    discordUserId: "223456789012345678",
    question: "Why?",
    openedAt: new Date(now + number),
    waitingSince: new Date(now + number),
  }));
  await db.insert(tickets).values(opened);
  for (const q of ["lovelace", "@Lovelace ✨"]) {
    const found = await find(q);
    expect([q, found.customers]).toEqual([q, [id]]);
    expect([q, found.why]).toEqual([q, { [id]: { by: "discord", text: "Lovelace ✨" } }]);
  }
  const newest = opened
    .map((ticket) => ticket.id)
    .toReversed()
    .slice(0, 5);
  for (const q of ["zoë", "@Zo"]) expect([q, (await find(q)).tickets]).toEqual([q, newest]);
});

test("four digits may name a ticket, a card and a key's end, and each is found", async () => {
  await using stage = await openStage();
  const find = finding(await atDesk(stage, "vera", "viewer"));
  await stage.buy();
  const { ctx } = stage;
  const [paid] = await ctx.store.db.select().from(payments);
  const [licence, ticket] = [newId(), newId()];
  const imported = sealedKey(ctx, licence, "ANOTHER-SHOP-4242");
  await ctx.store.db.insert(licences).values({
    id: licence,
    ...imported,
    level: brand.premium.type,
    chain: brand.premium.type,
    createdAt: ctx.now(),
  });
  const asked = { topic: "device", memberName: "Zoë", question: "Why?" };
  const since = { openedAt: ctx.now(), waitingSince: ctx.now() };
  await ctx.store.db.insert(tickets).values({ id: ticket, number: 4242, ...asked, ...since });
  const named = { ...nothing, licences: [licence], tickets: [ticket] };
  const why = { [paid?.id ?? ""]: { by: "card", text: "4242" } };
  expect(await find("4242")).toEqual({ ...named, payments: [paid?.id], why });
  expect(await find("#4242")).toEqual(named);
});

test("a search finds at most five of each, names by their beginning", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  await stage.ctx.store.db.insert(accounts).values(
    ["eve1", "eve2", "eve3", "eve4", "eve5", "eve6", "xeve", "eve_", "eve%"].map((username) => ({
      id: newId(),
      username,
      usernameKey: username,
      email: `${tokenHash(username)}@example.com`,
      emailKey: `${tokenHash(username)}@example.com`,
      passwordHash: "none",
      timezone: "UTC",
      createdAt: stage.ctx.now(),
    })),
  );
  const found = async (q: string) =>
    (await sam.post("search", { q })).body.data.customers.map(
      ({ username }: { username: string }) => username,
    );
  // the last was added last
  expect(await found("eve")).toEqual(["eve%", "eve4", "eve3", "eve2", "eve1"]);
  expect(await found("eve%")).toEqual(["eve%"]);
  expect(await found("eve_")).toEqual(["eve_"]);
  expect(await found("%")).toEqual([]);
});

test("hostile searches find nothing and break nothing", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  for (const q of [
    "' OR 1=1 --",
    "%",
    "_",
    "*",
    "\ud800",
    "@",
    "@@@@",
    "a@",
    "#99999999999999999999",
    "1e9",
    "-1",
    "cs_",
    `pi_${"a".repeat(250)}`,
    "•".repeat(254),
    "=HYPERLINK(1)",
    "<script>",
    "\u202eada",
    "\u{10ffff}",
    "x".repeat(254),
    "LK-0000-0000-0000-0000",
  ]) {
    const { status, body } = await vera.post("search", { q });
    expect([q, status, body.data]).toEqual([q, 200, nothing]);
  }
});
