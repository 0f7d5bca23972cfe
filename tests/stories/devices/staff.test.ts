import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { auditTrail } from "@/core/database/audit";
import { customerOf } from "@/domain/customers/customer";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { accounts } from "@/domain/schema/accounts";
import { customerCard } from "../../../bot/interactions/customer-card";
import { operate, operated } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { codeOf, deviceCounts, customerWith, listDevices } from "./computers";

const why = ["--reason", "a story"];
const reason = "ticket 12";
const roomy = { env: { LIMITS: "app=1000/60" } };

/** Buys an offer as a stranger; resolves to its key. */
async function buy(stage: Stage, offer: string): Promise<string> {
  const buyer = stage.person();
  const wanted = { currency: "usd", offer };
  const session: string = (await buyer.post("/api/stripe/create-checkout-session", wanted)).body.data.id;
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  return (await buyer.get(`/api/stripe/verify-payment?session_id=${session}`)).body.data.license_key;
}

test("an offer for five computers sells licences for five; changing it changes no earlier sale", async () => {
  await using stage = await openStage(roomy);
  const team = ["offers", "add", "team", "--name", "Team", "--amount", "2000", "--devices"];
  for (const wrong of ["0", "1001", "1.5", "x"])
    expect((await operate(stage, ...team, wrong, ...why)).code).toBe(2);
  expect(await operated(stage, ...team, "5", ...why)).toMatchObject({ id: "team", devices: 5 });
  const offers = (await stage.person().get("/api/offers")).body.data;
  expect(offers.map(({ id, devices }: { id: string; devices: number }) => [id, devices])).toEqual([
    ["premium", 1],
    ["team", 5],
  ]);
  const opened = await stage.person().post("/api/stripe/create-checkout-session", {
    currency: "usd",
    offer: "team",
  });
  const session: string = opened.body.data.id;
  await operated(stage, "offers", "change", "team", "--devices", "2", ...why);
  // a checkout keeps the terms that it was opened with
  await stage.stripeTells("pay", { session, email: "buyer@example.com" });
  const [sold] = (
    await stage.ctx.store.client.execute("SELECT devices, offer FROM licences WHERE offer = 'team'")
  ).rows;
  expect(sold).toMatchObject({ devices: 5, offer: "team" });
  const [paid] = (await stage.ctx.store.client.execute("SELECT devices FROM payments")).rows;
  expect(paid).toMatchObject({ devices: 5 });
  const later = stage.person();
  expect((await later.register(await buy(stage, "team"), "bob")).status).toBe(200);
  expect(await deviceCounts(later)).toEqual({ used: 0, places: 2 });
  expect((await operate(stage, "offers", "list")).out).toMatch(/computers/);
});

test("owners give one licence another number of computers, and the log and history say so", async () => {
  await using stage = await openStage(roomy);
  const olga = await atDesk(stage, "olga", "owner");
  const { key, person, app } = await customerWith(stage, 1);
  const { id = "" } = (await licenceOfKey(stage.ctx, key)) ?? {};
  const wanted = (number: unknown) => ({ reason, number });
  for (const wrong of [0, 1001, 1.5, "5", null])
    expect((await olga.post(`licences/${id}/devices`, wanted(wrong))).status).toBe(400);
  expect((await olga.post(`licences/${id}/devices`, wanted(5))).body.data).toMatchObject({ id, devices: 5 });
  expect((await olga.post(`licences/${id}/devices`, wanted(5))).body).toMatchObject({
    status: 409,
    code: "license_unchanged",
  });
  expect(await deviceCounts(person)).toEqual({ used: 0, places: 5 });
  for (const name of ["one", "two"]) expect(await codeOf(app.activate(name))).toBe("VALID");
  const changed = await operate(stage, "licences", "devices", id, "1", ...why);
  expect(changed.out).toContain("is now for 1 computer.");
  expect(await deviceCounts(person)).toEqual({ used: 2, places: 1 });
  const entries = await auditTrail(stage.ctx, { action: "licence.devices_changed", limit: 10 });
  expect(entries.find((one) => one.reason === "a story")).toMatchObject({
    subject: id,
    reason: "a story",
    detail: { before: 5, after: 1 },
  });
  const { timeline } = (await olga.get(`licences/${id}`)).body.data;
  expect(timeline.map(({ action }: { action: string }) => action)).toContain("licence.devices_changed");
});

test("staff see an account's computers, name them and remove one or all", async () => {
  await using stage = await openStage(roomy);
  const sam = await atDesk(stage, "sam", "support");
  const { person, app, id } = await customerWith(stage, 3);
  for (const name of ["one", "two", "three"]) await app.activate(name);
  const list = await operated(stage, "devices", "list", "ada");
  expect(list).toMatchObject({ used: 3, places: 3 });
  const one = (await listDevices(person))["one"]?.id ?? "";
  expect(list.devices.map((device: { id: string }) => device.id)).toContain(one);
  expect((await operate(stage, "devices", "list", "ada")).out).toContain("3 computers of 3 seats");
  await operated(stage, "devices", "rename", "ada", one, "Studio", ...why);
  await app.activate("one");
  expect((await listDevices(person))["Studio"]?.id).toBe(one);
  await operated(stage, "devices", "remove", "ada", one, ...why);
  expect((await operate(stage, "devices", "remove", "ada", one, ...why)).code).toBe(1);
  const shown = (await sam.get(`customers/${id}`)).body.data.devices;
  expect(shown).toHaveLength(2);
  const [newest] = shown;
  expect(newest).toMatchObject({ active: true, removable_at: null, offline_until: null });
  expect((await sam.post(`customers/${id}/reset-device`, { reason, device: newest.id })).status).toBe(200);
  expect((await sam.post(`customers/${id}/reset-device`, { reason, device: newest.id })).body.code).toBe(
    "hwid_not_set",
  );
  expect((await sam.post(`customers/${id}/reset-device`, { reason })).status).toBe(200);
  expect(await deviceCounts(person)).toEqual({ used: 0, places: 3 });
  const [entry] = await auditTrail(stage.ctx, { action: "device.reset_by_staff", limit: 1 });
  expect(entry?.detail).toEqual({ computers: [expect.any(String)] });
  expect((await person.get("/api/user/me")).body.data.last_reset).toBeNull();
});

test("the ticket's card tells the computers of an account with several seats", async () => {
  await using stage = await openStage(roomy);
  const { app, id } = await customerWith(stage, 20);
  for (let at = 0; at < 15; at += 1)
    await app.activate(`machine ${at}`, { label: `**${"x".repeat(60)}${at}` });
  const [account] = await stage.ctx.store.db.select().from(accounts).where(eq(accounts.id, id));
  if (!account) throw new Error("it is there");
  const fields = customerCard(await customerOf(stage.ctx, account)).data.fields ?? [];
  const shown = fields.find(({ name }) => name === "Devices")?.value ?? "";
  expect(shown).toStartWith("15 of 20 seats\n\\*\\*x");
  expect(shown.length).toBeLessThanOrEqual(1024);
});

test("staff block one of several computers by its id", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 2);
  for (const name of ["one", "two"]) await app.activate(name);
  const block = ["blocks", "add", "device", "ada", "--of-account"];
  const unsaid = await operate(stage, ...block, ...why);
  expect(unsaid.code).toBe(1);
  expect(unsaid.err).toContain("2 computers");
  await operated(stage, ...block, "--device", (await listDevices(person))["two"]?.id ?? "", ...why);
  expect(await codeOf(app.validate("two"))).toBe("REVOKED");
  expect(await codeOf(app.validate("one"))).toBe("VALID");
});
