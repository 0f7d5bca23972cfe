import { expect, spyOn, test } from "bun:test";
import type { Client } from "@libsql/client";
import { openStage } from "../../support/shop/stage";

test("a signed-in request makes one query, always the same prepared one", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  await stage.shop.worker.drain();
  const driver: Client = Object.getPrototypeOf(stage.ctx.store.client);
  using execute = spyOn(driver, "execute");
  using batch = spyOn(driver, "batch");
  // the worker's own queries, for jobs and for webhooks, come at any time
  const asked = () =>
    [...execute.mock.calls, ...batch.mock.calls]
      .map(([statement]) => JSON.stringify(statement))
      .filter((statement) => !/outbox|webhook_endpoints/.test(statement));

  for (let time = 0; time < 3; time += 1) expect((await ada.get("/api/user/me")).status).toBe(200);
  expect(asked()).toHaveLength(3);
  const texts = asked().map((statement) => JSON.parse(statement).sql);
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toMatch(/from "sessions" inner join "accounts"/);

  expect((await stage.person().get("/api/user/me")).status).toBe(401);
  expect((await stage.person().get("/api/functions/get-stripe-key")).status).toBe(200);
  expect(asked()).toHaveLength(3);
  expect((await ada.get("/api/user/dashboard")).status).toBe(200);
  expect(asked()).toHaveLength(5);
  // what only some calls show is read by those
  const [ofEvery = ""] = asked().slice(3);
  const tables = [...ofEvery.matchAll(/\b(?:from|join) \\"(\w+)/g)].map(([, table]) => table);
  expect(tables).toEqual(["sessions", "accounts"]);
});

test("no statement of a signed-in request is compiled more than once", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  for (let time = 0; time < 5; time += 1)
    for (const page of ["me", "dashboard", "sessions"])
      expect((await ada.get(`/api/user/${page}`)).status).toBe(200);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT sql FROM sqlite_stmt WHERE sql LIKE '%sessions%' AND run >= 5 AND reprep > 1",
  );
  expect(rows.map(({ sql }) => sql)).toEqual([]);
});
