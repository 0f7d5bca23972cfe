import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import { changeDevices } from "@/domain/licences/changes/staff-terms";
import { extendLicence } from "@/domain/licences/changes/change";
import { licenceOfKey } from "@/domain/licences/keys/find";
import type { Stage } from "../../support/shop/stage";
import {
  by,
  happens,
  openSubscriptionShop,
  pass,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
  switchTo,
} from "./subscriber";

const month = { id: "month", amount: 300 };
const team = { id: "team", amount: 900, devices: 10 };

async function openShop() {
  const stage = await openSubscriptionShop();
  await addOffer(stage.ctx, { ...team, name: "A team", days: null, every: "month" }, by);
  return stage;
}

async function licence(stage: Stage) {
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT id, devices FROM licences WHERE paid_until IS NOT NULL",
  );
  return { id: rows[0]?.["id"] as string, devices: Number(rows[0]?.["devices"]) };
}

test("a licence is for as many computers as its price says, or staff until a switch ends that", async () => {
  await using stage = await openShop();
  const { subscription } = await subscriber(stage);
  const { id } = await licence(stage);
  const devices = async () => (await licence(stage)).devices;
  await changeDevices(stage.ctx, { id }, 2, by);
  await settleAll(stage);
  expect(await devices()).toBe(2);
  await switchTo(stage, subscription, team);
  await settleAll(stage);
  expect(await devices()).toBe(10);
  await switchTo(stage, subscription, month);
  await settleAll(stage);
  expect(await devices()).toBe(1);
  await changeDevices(stage.ctx, { id }, 20, by);
  await switchTo(stage, subscription, team);
  await settleAll(stage);
  expect(await devices()).toBe(20);
});

test("days that staff add to a licence whose subscription has ended run from now", async () => {
  await using stage = await openShop();
  const { ada, subscription } = await subscriber(stage);
  const { license_key: key } = await seenBy(ada);
  await stripeOf(stage).subscriptions.cancel(subscription);
  await pass(stage, 100);
  await settleAll(stage);
  const held = await licenceOfKey(stage.ctx, key);
  if (!held) throw new Error("there is no licence");
  await extendLicence(stage.ctx, held, 30, by);
  expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: true } });
  await pass(stage, 31);
  expect(await seenBy(ada)).toMatchObject({ licence: { active: false } });
});

test("nothing is added to a refunded licence", async () => {
  await using stage = await openShop();
  const { ada, session } = await subscriber(stage);
  const { license_key: key } = await seenBy(ada);
  await happens(stage, "refund", { session });
  const held = await licenceOfKey(stage.ctx, key);
  if (!held) throw new Error("there is no licence");
  expect(extendLicence(stage.ctx, held, 30, by)).rejects.toMatchObject({ code: "license_ended" });
});
