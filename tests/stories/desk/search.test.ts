import { expect, test } from "bun:test";
import { searchResult } from "@/contract/wire/desk/search";
import { tokenHash } from "@/core/secrets/secrets";
import { accounts } from "@/domain/schema/accounts";
import { links } from "@/domain/schema/discord";
import { newId } from "@/core/database/context";
import { operated } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { member } from "../accounts/people";

const discordUserId = "123456789012345678";

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
  const find = async (q: string) => {
    const { status, body } = await vera.post("search", { q });
    expect([q, status]).toEqual([q, 200]);
    expect(searchResult.strict().parse(body.data)).toEqual(body.data);
    const ids = (rows: { id: string }[]) => rows.map((row) => row.id);
    return {
      customers: ids(body.data.customers),
      payments: ids(body.data.payments),
      licences: ids(body.data.licences),
      subscriptions: ids(body.data.subscriptions),
      tickets: ids(body.data.tickets),
    };
  };
  const nothing = { customers: [], payments: [], licences: [], subscriptions: [], tickets: [] };
  const sale = { ...nothing, payments: [payment.id], licences: [bought.id] };
  expect(await find("buyer@example.com")).toEqual(sale);
  expect(await find(" BUYER@EXAMPLE.COM ")).toEqual(sale);
  expect(await find("Buyer@exa")).toEqual(sale);
  expect(await find("buyer@example.org")).toEqual(nothing);
  expect(await find(key)).toEqual(sale);
  expect(await find(key.toLowerCase().replaceAll("-", " "))).toEqual(sale);
  expect(await find(bought.key)).toEqual(sale);
  expect(await find(payment.id)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(payment.session_id)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(payment.payment_id)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(refund.refund)).toEqual({ ...nothing, payments: [payment.id] });
  expect(await find(bought.id.toUpperCase())).toEqual({ ...nothing, licences: [bought.id] });
  const [own] = (await vera.get(`licences?customer=${id}`)).body.data.rows;
  const adas = { ...nothing, customers: [id], licences: [own.id], tickets: [ticket.id] };
  for (const q of ["ada", "AD", "ada@example.com", "Ada@Example.com", "ada@exa", id, discordUserId]) {
    expect([q, await find(q)]).toEqual([q, adas]);
  }
  for (const q of [String(ticket.number), `#${ticket.number}`, ticket.id]) {
    expect([q, (await find(q)).tickets]).toEqual([q, [ticket.id]]);
  }
  expect(stage.lines.join("\n")).not.toContain(key);
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
  expect(await found("eve")).toEqual(["eve%", "eve1", "eve2", "eve3", "eve4"]);
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
    expect([q, status, status === 200 && Object.values(body.data).flat()]).toEqual([q, 200, []]);
  }
});
