import { expect, test } from "bun:test";
import { checkout } from "../../support/people/buyer";
import { customerRow, licenseRow, orderRow, subscriptionRow } from "@/contract/wire/lookups";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { theShop } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { countEnds } from "@/domain/licences/changes/expire";
import { issueWrites } from "@/domain/licences/keys/hand-out";
import { randomKey } from "@/domain/licences/keys/keys";
import { changeEmail, member, prove } from "../accounts/people";
import { everyPage, otherSystem } from "../../support/people/other-system";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "a story"];
const everything = "updated_after=1970-01-01T00:00:00Z";
const kinds = ["orders", "licenses", "customers", "subscriptions"] as const;
const shapes = {
  orders: orderRow,
  licenses: licenseRow,
  customers: customerRow,
  subscriptions: subscriptionRow,
};
const names = {
  orders: "order",
  licenses: "license",
  customers: "account",
  subscriptions: "subscription",
};

/** A checkout that is paid, from whoever buys. */
async function bought(stage: Stage, person: ReturnType<Stage["person"]>, order: object, email: string) {
  const session = await checkout(person, order);
  await stage.stripeTells("pay", { session, email });
  return session;
}

test("orders, licenses and customers are looked up by the ids in webhooks", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  const ada = await member(stage, "ada");
  const { id: account } = (await ada.get("/api/user/me")).body.data;
  const { key } = await stage.buy("Buyer@Example.com");
  const [order] = (await system.get("orders?email=buyer@example.com")).body.data;
  const [license] = (await system.get("licenses?email=BUYER@example.com")).body.data;
  expect(order).toMatchObject({ account: null, email: "Buyer@Example.com", paid: 500, state: "succeeded" });
  expect(order.order).toStartWith("pi_");
  expect(license).toMatchObject({ order: order.order, account: null, state: "unredeemed", expires_at: null });
  expect((await system.get(`orders/${order.order}`)).body.data).toEqual(order);
  expect((await system.get(`licenses/${license.license}`)).body.data).toEqual(license);
  const { body } = await system.get(`customers/${account}`);
  expect(body.data).toMatchObject({ account, username: "ada", email: "ada@example.com" });
  expect((await system.get("customers?email=ADA@example.com")).body.data).toEqual([body.data]);
  const all = await Promise.all(kinds.map((kind) => system.every(kind, everything)));
  for (const [at, kind] of kinds.entries())
    for (const row of all[at] ?? []) expect(shapes[kind].strict().parse(row)).toEqual(row);
  expect(JSON.stringify(all)).not.toContain(key);
  for (const kind of kinds) expect((await system.get(`${kind}/nothing`)).body.code).toBe("not_found");
  expect((await system.get(`orders/${"%00%ff".repeat(50)}`)).status).toBe(404);
});

test("only a server key opens a look-up, and every other answer is the same", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  const ada = await member(stage, "ada");
  const { api_key: token } = (await ada.get("/api/user/me")).body.data;
  const asked = [
    undefined,
    "Bearer",
    `Basic ${system.key}`,
    `Bearer ${token}`,
    `Bearer ${system.key.slice(0, -1)}`,
    `Bearer ${system.key}x`,
    `Bearer lk_${"A".repeat(43)}`,
  ];
  for (const path of ["orders", `orders?${everything}`, "customers/x", "licenses?nonsense=1"]) {
    for (const authorization of asked) {
      const headers: Record<string, string> = authorization ? { authorization } : {};
      const { status, body } = await ada.get(`/api/v1/${path}`, headers);
      expect([path, authorization, status, body]).toEqual([
        path,
        authorization,
        401,
        { status: 401, data: "A valid server key is needed.", code: "server_key_invalid" },
      ]);
    }
  }
  const right = await stage.person().send("GET", `/api/v1/orders?${everything}`, {
    headers: { authorization: `bearer ${system.key}`, "sec-fetch-site": "cross-site" },
  });
  expect([right.status, right.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const elsewhere = { authorization: `Bearer ${system.key}` };
  expect((await ada.get("/api/user/dashboard", elsewhere)).status).toBe(200);
  expect((await stage.person().get("/api/user/me", elsewhere)).status).toBe(401);
  expect((await stage.person().get("/api/app/v1/update/win/latest.yml", elsewhere)).status).not.toBe(200);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const answer = await stage.person().send(method, "/api/v1/orders", { headers: elsewhere });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
  expect(stage.lines.join("\n")).not.toContain(system.key);
});

test("a key is shown once, only its hash is kept, and it stops working at once when it is removed", async () => {
  await using stage = await openStage();
  const { key, id, name } = await operated(stage, "keys", "add", "the forum", ...why);
  expect(name).toBe("the forum");
  expect(key).toMatch(/^lk_[\w-]{43}$/);
  const headers = { authorization: `Bearer ${key}` };
  const ask = async () => (await stage.person().get("/api/v1/customers?email=a@b", headers)).status;
  expect(await ask()).toBe(200);
  const listed = await operate(stage, "keys", "list");
  expect(listed.out).toContain("the forum");
  expect(listed.out).not.toContain(key);
  expect(await operated(stage, "keys", "list")).toMatchObject([{ id, name }]);
  expect((await operate(stage, "keys", "add", "the forum", ...why)).err).toContain("already");
  expect((await operate(stage, "keys", "add", " ", ...why)).code).toBe(2);
  expect((await operate(stage, "keys", "add", "other")).code).toBe(2);
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM server_keys");
  expect(JSON.stringify(rows)).not.toContain(key.slice(3));
  await operated(stage, "keys", "remove", "the forum", ...why);
  expect(await ask()).toBe(401);
  expect((await operate(stage, "keys", "remove", id, ...why)).code).toBe(1);
  const log = await stage.ctx.store.client.execute(
    "SELECT action, subject FROM audit_log WHERE action LIKE 'server_key.%' ORDER BY sequence",
  );
  expect(log.rows).toMatchObject([
    { action: "server_key.added", subject: id },
    { action: "server_key.removed", subject: id },
  ]);
});

test("a key makes 600 calls a minute from one address, and another key is not held up", async () => {
  await using stage = await openStage();
  const [one, other] = [await otherSystem(stage, "one"), await otherSystem(stage, "other")];
  for (let at = 0; at < 600; at += 1) expect((await one.get("orders?email=a@b")).status).toBe(200);
  const late = await one.get("orders?email=a@b");
  expect([late.status, late.body.code]).toEqual([429, "rate_limited"]);
  expect(Number(late.headers.get("retry-after"))).toBeWithin(1, 61);
  expect((await other.get("orders?email=a@b")).status).toBe(200);
  stage.advance(minute);
  expect((await one.get("orders?email=a@b")).status).toBe(200);
});

test("guesses count against their address, and not against a key", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  const guesser = stage.person();
  const guess = () => guesser.get("/api/v1/orders", { authorization: `Bearer lk_${"B".repeat(43)}` });
  for (let at = 0; at < 300; at += 1) expect((await guess()).status).toBe(401);
  expect((await guess()).status).toBe(429);
  expect((await system.get("orders?email=a@b")).status).toBe(200);
});

test("an invalid query is refused with the name of the wrong parameter", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  const time = "2026-01-01T00:00:00Z";
  const refusedField = async (path: string) => {
    const { status, body } = await system.get(path);
    return [status, body.code, body.field];
  };
  for (const kind of kinds) {
    for (const [query, field] of [
      ["", "updated_after"],
      [`?email=a@b&updated_after=${time}`, "updated_after"],
      ["?updated_after=yesterday", "updated_after"],
      ["?updated_after=2026-02-30T00:00:00Z", "updated_after"],
      ["?updated_after=", "updated_after"],
      ["?email=ada", "email"],
      [`?email=${"a".repeat(260)}@b`, "email"],
      ["?email=a@b&email=c@d", "email"],
      [`?updated_after=${time}&after=x`, "after"],
      [`?updated_after=${time}&after=${Buffer.from("9".repeat(17) + ".a").toString("base64url")}`, "after"],
      [`?updated_after=${time}&state=active`, "state"],
      [`?updated_before=${time}`, "updated_before"],
    ]) {
      expect([query, ...(await refusedField(`${kind}${query}`))]).toEqual([
        query,
        400,
        "invalid_field",
        field,
      ]);
    }
    expect(await refusedField(`${kind}/x?expand=all`)).toEqual([400, "invalid_field", "expand"]);
  }
  for (const [query, sentence] of [
    ["", "Send email or updated_after, not both."],
    [`?email=a@b&updated_after=${time}`, "Send email or updated_after, not both."],
    [
      "?updated_after=yesterday",
      "updated_after must be a time such as 2026-03-01T10:00:00Z or 2026-03-01T12:00:00+02:00.",
    ],
    ["?email=ada", "email must be an email address."],
    [`?updated_after=${time}&after=x`, "after must be what `next` said."],
  ])
    expect([query, (await system.get(`orders${query}`)).body.data]).toEqual([query, sentence]);
  for (const time of ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"])
    expect((await system.get(`orders?updated_after=${time}`)).body).toEqual({
      status: 200,
      data: [],
      next: null,
    });
});

/** What every row is, by kind and id. */
async function allRows(system: Awaited<ReturnType<typeof otherSystem>>) {
  // oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
  const rows = new Map<string, any>();
  for (const kind of kinds)
    for (const row of await system.every(kind, everything)) rows.set(`${kind}/${row[names[kind]]}`, row);
  return rows;
}

test("a time may have an offset, also with its plus unescaped in the URL", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  await stage.handOut();
  const [row] = await system.every("licenses", everything);
  const changed: string = row.updated_at;
  /** When the row changed, on a clock that is some hours ahead. */
  const at = (hours: number, zone: string) =>
    `updated_after=${new Date(Date.parse(changed) + hours * hour).toISOString().slice(0, -5)}${changed.slice(19, -1)}${zone}`;
  for (const [query, count] of [
    [at(0, "Z"), 0],
    [at(2, "%2B02:00"), 0],
    [at(2, "+02:00"), 0],
    [at(-5.5, "-05:30"), 0],
    [at(-5.5, "-05:31"), 0],
    [at(2, "%2B02:01"), 1],
    [at(-5.5, "-05:29"), 1],
  ] as const)
    expect([query, (await system.every("licenses", query)).length]).toEqual([query, count]);
  for (const zone of ["%2B0200", "02:00", "%2B25:00", ""])
    expect((await system.get(`licenses?${at(0, zone)}`)).status).toBe(400);
});

test("a row's updated_at rises with every change of its answer, and with nothing else", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const system = await otherSystem(stage);
  const ada = stage.person();
  let before = await allRows(system);
  /** Does something, and names the rows that are new, gone or changed, as far as their answers tell. */
  const after = async (act: () => Promise<unknown>): Promise<string[]> => {
    const latest = [...before.values()]
      .map((row) => row.updated_at as string)
      .toSorted()
      .at(-1);
    await act();
    await stage.stripe.flush();
    await stage.shop.worker.drain();
    await countEnds(ctx);
    const now = await allRows(system);
    const touched: string[] = [];
    for (const [name, row] of now) {
      const was = before.get(name);
      const isSame =
        was && JSON.stringify({ ...was, updated_at: "" }) === JSON.stringify({ ...row, updated_at: "" });
      if (isSame) {
        expect([name, row.updated_at >= was.updated_at]).toEqual([name, true]);
        continue;
      }
      touched.push(was ? `${name.split("/")[0]} ${row.state ?? "changed"}` : `new ${name.split("/")[0]}`);
      if (was) expect([name, row.updated_at > was.updated_at]).toEqual([name, true]);
      const kind = name.split("/")[0] as "orders";
      const since = latest ? `updated_after=${latest}` : everything;
      const listed = await system.every(kind, since);
      expect(listed.map((one) => one[names[kind]])).toContain(row[names[kind]]);
      expect((await system.get(name)).body.data).toEqual(row);
    }
    for (const name of before.keys()) if (!now.has(name)) touched.push(`no ${name.split("/")[0]}`);
    before = now;
    return touched.toSorted();
  };

  let key = "";
  expect(await after(async () => (key = await stage.handOut(30)))).toEqual(["new licenses"]);
  expect(await after(() => ada.register(key, "ada"))).toEqual(["licenses active", "new customers"]);
  expect(await after(() => prove(stage, "ada"))).toEqual(["customers changed", "licenses active"]);
  expect(await after(() => ada.post("/api/stripe/create-checkout-session", { currency: "usd" }))).toEqual([]);
  let session = "";
  expect(
    await after(async () => (session = await bought(stage, ada, { quantity: 2 }, "card@example.com"))),
  ).toEqual(["new licenses", "new licenses", "new orders"]);
  const [order] = (await system.get("orders?email=card@example.com")).body.data;
  expect(order.account).not.toBeNull();
  const verify = () => ada.get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(await after(verify)).toEqual([]);
  expect(
    await after(() => operated(stage, "payments", "correct-email", session, "right@example.com", ...why)),
  ).toEqual(["licenses unredeemed", "licenses unredeemed", "orders succeeded"]);
  expect(await after(() => stage.atStripe("refund", { session, amount: 100 }))).toEqual(["orders succeeded"]);
  let gift = "";
  expect(
    await after(async () => {
      gift = await bought(
        stage,
        stage.person(),
        { gift: { email: "friend@example.com" } },
        "giver@example.com",
      );
    }),
  ).toEqual(["new licenses", "new orders"]);
  expect((await system.get("licenses?email=friend@example.com")).body.data).toMatchObject([
    { email: "friend@example.com", state: "unredeemed", account: null },
  ]);
  expect((await system.get("licenses?email=giver@example.com")).body.data).toEqual([]);
  expect((await system.get("orders?email=friend@example.com")).body.data).toEqual([]);
  const disputed = (await after(() => stage.atStripe("dispute", { session: gift }))).join();
  expect(disputed).toBe("licenses disputed,orders disputed");

  const [own] = (await system.get("licenses?email=ada@example.com")).body.data;
  const licence = (...words: string[]) => after(() => operated(stage, "licences", ...words, ...why));
  expect(await licence("suspend", own.license)).toEqual(["licenses suspended"]);
  expect(await licence("reinstate", own.license)).toEqual(["licenses active"]);
  expect(await licence("extend", own.license, "1")).toEqual(["licenses active"]);
  expect(await after(() => changeEmail(stage, ada, "ada.new@example.com"))).toEqual([
    "customers changed",
    "licenses active",
  ]);
  expect((await system.get("licenses?email=ada@example.com")).body.data).toEqual([]);
  expect((await system.get("licenses?email=ada.new@example.com")).body.data).toMatchObject([
    { license: own.license },
  ]);
  expect(await after(() => ada.post("/api/user/info/reset/token"))).toEqual([]);
  // the checkout that was never paid expires as well
  expect(await after(async () => stage.advance(31 * day + hour))).toEqual(["licenses expired", "new orders"]);
  const { updated_at, expires_at } = before.get(`licenses/${own.license}`);
  expect(updated_at >= expires_at).toBe(true);
  expect(await after(() => stage.atStripe("refund", { session }))).toEqual([
    "licenses refunded",
    "licenses refunded",
    "orders refunded",
  ]);
  expect(await after(() => operated(stage, "accounts", "erase", "ada", ...why))).toEqual([
    "licenses expired",
    "licenses refunded",
    "licenses refunded",
    "no customers",
    "orders expired",
    "orders refunded",
  ]);
  expect(before.get(`orders/${order.order}`)).toMatchObject({ account: null, email: null, paid: 1000 });
  expect(before.get(`licenses/${own.license}`)).toMatchObject({ account: null, email: null });
});

test("an email counts as confirmed once the row's account has confirmed that very address", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  const ada = stage.person();
  await ada.register(await stage.handOut(30), "ada");
  await bought(stage, ada, {}, "Ada@example.com");
  await bought(stage, ada, {}, "other@example.com");
  await bought(stage, stage.person(), {}, "ada@example.com");
  const { rows: known } = await stage.ctx.store.client.execute("SELECT max(updated) AS at FROM payments");
  const rows = async (kind: "orders" | "licenses" | "customers") =>
    (await system.every(kind, everything)).map(({ email, email_confirmed: confirmed }) => [email, confirmed]);
  const of = (is: boolean) => [
    ["Ada@example.com", is],
    ["other@example.com", false],
    ["ada@example.com", false],
  ];
  expect(await rows("orders")).toEqual(of(false));
  stage.advance(minute);
  await prove(stage, "ada");
  expect(await rows("orders")).toEqual(expect.arrayContaining(of(true)));
  expect(await rows("customers")).toEqual([["ada@example.com", true]]);
  // her key, and what she bought while signed in
  const hers = Array.from({ length: 2 }, () => ["ada@example.com", true]);
  expect((await rows("licenses")).filter(([, is]) => is)).toEqual(hers);
  const { rows: changed } = await stage.ctx.store.client.execute({
    sql: "SELECT email FROM payments WHERE updated > ?",
    args: [known[0]?.["at"] ?? 0],
  });
  expect(changed.map(({ email }) => email)).toEqual(["Ada@example.com"]);
});

test("an end that passed shows at once, and in lists once it is counted", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada");
  await prove(stage, "ada");
  await stage.handOut();
  const [own] = (await system.get("licenses?email=ada@example.com")).body.data;
  stage.advance(day + minute);
  const seen = (await system.get(`licenses/${own.license}`)).body.data;
  expect(seen).toMatchObject({ state: "expired", expires_at: own.expires_at });
  expect(seen.updated_at).toBe(own.expires_at.replace("Z", "000Z"));
  expect(await system.every("licenses", everything)).toHaveLength(1);
  expect(await system.every("licenses", "email=ada@example.com")).toMatchObject([{ state: "expired" }]);
  await countEnds(stage.ctx);
  const rows = await system.every("licenses", everything);
  expect(rows.map(({ license }) => license).at(-1)).toBe(own.license);
  expect(rows).toHaveLength(2);
  const { updated_at: counted } = rows.at(-1);
  expect(counted >= seen.updated_at).toBe(true);
  await countEnds(stage.ctx);
  expect((await system.get(`licenses/${own.license}`)).body.data.updated_at).toBe(counted);
});

test("a list has a hundred rows a page, the oldest change first, also of thousands that changed together", async () => {
  await using stage = await openStage();
  const { client } = stage.ctx.store;
  const system = await otherSystem(stage);
  const insert = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1050)`;
  await client.execute(
    `INSERT INTO licences (id, key_hash, key_sealed, type, chain, created_at) ${insert} SELECT 'l' || i, 'h' || i, '', 'premium', 'premium', 5 FROM n`,
  );
  // as the release before left them
  await client.execute("UPDATE licences SET changed = NULL");
  const first = (await system.get(`licenses?${everything}`)).body;
  expect([first.data.length, typeof first.next]).toEqual([100, "string"]);
  expect(first.data[0].updated_at).toBe("1970-01-01T00:00:00.005000Z");
  const rows = await system.every("licenses", everything);
  expect(rows).toHaveLength(1050);
  expect(new Set(rows.map(({ license }) => license)).size).toBe(1050);
  expect(await system.every("licenses", "updated_after=1970-01-01T00:00:00.005Z")).toHaveLength(0);
  expect(await system.every("licenses", "updated_after=1970-01-01T00:00:00.004999Z")).toHaveLength(1050);
  await client.execute("UPDATE licences SET revoked_at = 6 WHERE id = 'l500'");
  expect((await system.every("licenses", everything)).at(-1)).toMatchObject({
    license: "l500",
    state: "revoked",
  });
  expect(await system.every("licenses", "updated_after=1970-01-01T00:00:01Z")).toHaveLength(1);
});

test("a reader that pages while rows change misses no row's last state", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const system = await otherSystem(stage);
  const by = { actor: theShop, reason: "a story" };
  const issue = () => issueWrites(ctx, { key: randomKey(), level: "premium", days: null }, by);
  await commit(ctx.store, Array.from({ length: 450 }, issue).flat());
  const { rows } = await ctx.store.client.execute("SELECT id FROM licences");
  const ids = rows.map(({ id }) => id as string);
  let left = 30;
  const write = async () => {
    if ((left -= 1) < 0) return;
    // together, so that several commits share a millisecond
    await Promise.all([
      ...Array.from({ length: 8 }, () => commit(ctx.store, issue())),
      ctx.store.client.execute({
        sql: "UPDATE licences SET revoked_at = coalesce(revoked_at, 0) + 1 WHERE id IN (?, ?)",
        args: [ids[left * 7] ?? "", ids[449 - left * 5] ?? ""],
      }),
    ]);
  };
  const seen = new Map<string, string>();
  let last = "1970-01-01T00:00:00Z";
  while (left > 0) {
    const page = await everyPage(system.get, "licenses", `updated_after=${last}`, write);
    for (const row of page) {
      expect(row.updated_at >= last).toBe(true);
      last = row.updated_at;
      seen.set(row.license, row.state);
    }
    await write();
  }
  for (const row of await system.every("licenses", `updated_after=${last}`)) seen.set(row.license, row.state);
  const now = await ctx.store.client.execute(
    "SELECT id, CASE WHEN revoked_at IS NULL THEN 'unredeemed' ELSE 'revoked' END AS state FROM licences",
  );
  expect(Object.fromEntries(seen)).toEqual(
    Object.fromEntries(now.rows.map(({ id, state }) => [id as string, state as string])),
  );
});

test("the list of an email is complete over its pages, with the licenses mailed there and those of its account", async () => {
  await using stage = await openStage();
  const { client } = stage.ctx.store;
  const system = await otherSystem(stage);
  await member(stage, "ada");
  for (let at = 0; at < 2; at += 1) await bought(stage, stage.person(), { quantity: 100 }, "Ada@example.com");
  await bought(stage, stage.person(), { gift: { email: "ada@EXAMPLE.com" } }, "giver@example.com");
  await stage.buy("other@example.com");
  const licenses = await system.every("licenses", "email=ADA@example.com");
  expect(licenses).toHaveLength(202);
  expect(new Set(licenses.map(({ license }) => license)).size).toBe(202);
  expect(licenses.filter(({ account }) => account !== null)).toHaveLength(1);
  const times: string[] = licenses.map(({ updated_at }) => updated_at);
  expect(times).toEqual(times.toSorted((one, other) => (one < other ? -1 : 1)));
  expect(await system.every("orders", "email=ada@example.com")).toHaveLength(2);
  await client.execute("UPDATE payments SET state = 'open' WHERE email_key = 'other@example.com'");
  expect(await system.every("orders", "email=other@example.com")).toEqual([]);
});

test("a shop in the other Stripe mode shows nothing that was bought in this one", async () => {
  await using stage = await openStage();
  const system = await otherSystem(stage);
  await stage.buy("buyer@example.com");
  await stage.handOut();
  const [order] = await system.every("orders", everything);
  const license = (await system.every("licenses", "email=buyer@example.com"))[0];
  await stage.ctx.store.client.batch(
    ["UPDATE payments SET livemode = NOT livemode", "UPDATE licences SET livemode = NOT livemode"],
    "write",
  );
  expect(await system.every("orders", everything)).toEqual([]);
  expect(await system.every("orders", "email=buyer@example.com")).toEqual([]);
  expect((await system.get(`orders/${order.order}`)).status).toBe(404);
  expect((await system.get(`licenses/${license.license}`)).status).toBe(404);
  expect(await system.every("licenses", "email=buyer@example.com")).toEqual([]);
  // nobody bought the other one
  expect(await system.every("licenses", everything)).toHaveLength(1);
});

test("each change gets a later time than all before it, even if the clock goes back or rows are deleted", async () => {
  await using stage = await openStage();
  const { client } = stage.ctx.store;
  const system = await otherSystem(stage);
  const add = (id: string) =>
    client.execute({
      sql: "INSERT INTO licences (id, key_hash, key_sealed, type, chain, created_at) VALUES (?1, ?1, '', 'premium', 'premium', 5)",
      args: [id],
    });
  const ahead = Date.UTC(2200, 0, 1) * 1000;
  await client.execute(`UPDATE change_clock SET last = ${ahead}`);
  await add("one");
  const [one] = await system.every("licenses", everything);
  expect(one.updated_at).toBe("2200-01-01T00:00:00.000001Z");
  await client.execute("DELETE FROM licences");
  await add(newId());
  expect(await system.every("licenses", `updated_after=${one.updated_at}`)).toHaveLength(1);
});
