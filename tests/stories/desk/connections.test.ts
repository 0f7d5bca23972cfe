import { afterAll, expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import { eventually, openStage } from "../../support/shop/stage";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");
const reason = "a story";
const url = "https://receiver.example.com/hooks";

test("an owner adds an endpoint, whose secret is shown once, changes, rotates and removes it", async () => {
  const added = (await olga.post("webhooks", { url, events: ["order.paid"], reason })).body.data;
  expect(added).toMatchObject({ url, events: ["order.paid"], disabled_at: null });
  expect(added.secret).toStartWith("whsec_");
  expect(JSON.stringify((await olga.get("webhooks")).body)).not.toContain("whsec_");
  const changed = await olga.post(`webhooks/${added.id}/change`, { events: null, reason });
  expect(changed.body.data).toMatchObject({ url, events: null });
  const rotated = (await olga.post(`webhooks/${added.id}/rotate`, { reason })).body.data;
  expect(rotated.secret).not.toBe(added.secret);
  expect(rotated.former_secret_until).not.toBeNull();
  expect((await olga.get(`webhooks/${added.id}`)).body.data).toMatchObject({ id: added.id, waiting: 0 });
  expect((await olga.post(`webhooks/${added.id}/remove`, { reason })).body.data.id).toBe(added.id);
});

test("an owner tests an endpoint, reads what was sent and answered, and sends it again", async () => {
  const { id } = (await olga.post("webhooks", { url: `${url}/two`, reason })).body.data;
  expect((await olga.post(`webhooks/${id}/test`, { reason })).body.data.id).toBe(id);
  const listed = await eventually(
    async () => {
      await stage.shop.webhooksOut?.run();
      return olga.get(`webhooks/deliveries?endpoint=${id}`);
    },
    ({ body }) => body.data.rows.length > 0,
  );
  const [sent] = listed.body.data.rows;
  expect(sent).toMatchObject({ endpoint: id, type: "webhook.test" });
  const whole = (await olga.get(`webhooks/deliveries/${sent.id}`)).body.data;
  expect(JSON.parse(whole.body)).toMatchObject({ type: "webhook.test" });
  const again = await olga.post("webhooks/replay", { id: sent.id, reason });
  expect(again.body.data).toMatchObject({ finished: true, events: 1 });
  const since = await olga.post("webhooks/replay", {
    since: new Date(0).toISOString(),
    endpoint: id,
    reason,
  });
  expect(since.body.data).toMatchObject({ finished: true, disabled: [] });
  expect((await olga.get("webhooks/deliveries/dlv_nothing")).status).toBe(404);
  const future = new Date(stage.ctx.now().getTime() + 60_000).toISOString();
  const early = await olga.post("webhooks/replay", { since: future, reason });
  expect([early.status, early.body.field]).toEqual([400, "since"]);
});

test("a server key is shown once, works, and ends at once", async () => {
  const made = await Promise.all(
    Array.from({ length: 5 }, () => olga.post("keys", { name: "the forum", reason })),
  );
  expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409, 409, 409, 409,
  ]);
  const { id, key } = made.find(({ status }) => status === 200)?.body.data ?? {};
  const look = () =>
    stage.person().get("/api/v1/customers?email=a@example.com", { authorization: `Bearer ${key}` });
  expect((await look()).status).toBe(200);
  expect(JSON.stringify((await olga.get("keys")).body)).not.toContain(key);
  expect((await olga.get("keys")).body.data.rows).toMatchObject([{ id, name: "the forum" }]);
  expect((await olga.post(`keys/${id}/remove`, { reason })).body.data).toMatchObject({ id });
  expect((await look()).status).toBe(401);
  expect((await olga.post(`keys/${id}/remove`, { reason })).status).toBe(404);
});
