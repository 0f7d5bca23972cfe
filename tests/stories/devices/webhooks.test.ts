import { expect, test } from "bun:test";
import { webhookBody } from "@/contract/wire/webhooks";
import { unbindDevice } from "@/domain/devices/remove";
import { deliverAll, startEndpoint } from "../../support/network/hooked";
import { openStage } from "../../support/shop/stage";
import { prove } from "../accounts/people";
import { by, customerWith, give, listDevices, remove } from "./computers";

const env = { WEBHOOKS_ALLOW_PRIVATE: "true", LIMITS: "app=1000/60" };

test("other systems learn of each computer that an account gets and loses, and why", async () => {
  await using stage = await openStage({ env });
  const { person, app, id } = await customerWith(stage, 3);
  await prove(stage, "ada");
  await using shop = await startEndpoint(stage, ["device.added", "device.removed"]);
  for (const name of ["one", "two", "three"]) await app.activate(name);
  const ids = Object.fromEntries(
    Object.entries(await listDevices(person)).map(([name, one]) => [name, one.id]),
  );
  await app.deactivate("one");
  await app.activate("four");
  await remove(person, "two");
  await unbindDevice(stage.ctx, id, by, ids["three"]);
  await deliverAll(stage);
  const four = (await listDevices(person))["four"]?.id;
  const told = () => shop.arrived.map(({ type, data }) => [type, data["device"], data["cause"]]);
  expect(told()).toEqual([
    ["device.added", ids["one"], "application"],
    ["device.added", ids["two"], "application"],
    ["device.added", ids["three"], "application"],
    ["device.removed", ids["one"], "application"],
    ["device.added", four, "application"],
    ["device.removed", ids["two"], "owner"],
    ["device.removed", ids["three"], "staff"],
  ]);
  for (const { body, type, data } of shop.arrived) {
    webhookBody(type).strict().parse(JSON.parse(body));
    expect(data).toMatchObject({ account: id, email: "ada@example.com", email_confirmed: true });
  }
  await person.post("/api/user/delete", { password: "a long enough phrase" });
  await deliverAll(stage);
  expect(told().slice(7)).toEqual([["device.removed", four, "erased"]]);
  expect(shop.arrived.at(-1)?.data).toMatchObject({ account: id, email: null, email_confirmed: false });
});

test("a licence's other number of computers is a change of it, which look-ups and webhooks tell", async () => {
  await using stage = await openStage({ env });
  const { key } = await customerWith(stage, 1);
  await using shop = await startEndpoint(stage, ["license.changed"]);
  const changedAt = async () =>
    Number((await stage.ctx.store.client.execute("SELECT updated FROM licences")).rows[0]?.["updated"]);
  const before = await changedAt();
  await give(stage, key, 4);
  expect(await changedAt()).toBeGreaterThan(before);
  await deliverAll(stage);
  expect(shop.arrived.map(({ data }) => [data["cause"], data["devices"]])).toEqual([["places", 4]]);
});
