import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { day, minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { licences } from "@/domain/schema/licences";
import { atDesk } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";

const reason = "ticket 12";

async function handedOut(stage: Stage, days: number | null = 30) {
  const key = await stage.handOut(days);
  return { key, id: (await licenceOfKey(stage.ctx, key))?.id ?? "" };
}

test("staff suspend, reinstate and extend a licence, revoke it, replace its key and see the whole key", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id, key } = await handedOut(stage);
  const asSam = (verb: string, more: object = {}) => sam.post(`licences/${id}/${verb}`, { reason, ...more });
  const asOlga = (verb: string, more: object = {}) =>
    olga.post(`licences/${id}/${verb}`, { reason, ...more });
  expect((await asSam("suspend")).body.data).toMatchObject({ id, status: "suspended" });
  expect((await asSam("suspend")).body).toMatchObject({ status: 409, code: "license_unchanged" });
  expect((await asSam("reinstate")).body.data.status).toBe("unredeemed");
  expect((await asSam("extend", { days: 5 })).body.data.days).toBe(35);
  expect((await asOlga("key")).body.data).toEqual({ key });
  const rotated = (await asOlga("rotate")).body.data;
  expect(rotated.key).toMatch(/^WISP(-••••){3}-\w{4}$/);
  const { key: now } = (await asOlga("key")).body.data;
  expect(now).not.toBe(key);
  expect(now.slice(-4)).toBe(rotated.key.slice(-4));
  expect((await asOlga("revoke")).body.data.status).toBe("revoked");
  expect((await olga.post("licences/nothing/revoke", { reason })).body).toMatchObject({
    status: 404,
    code: "not_found",
  });
  // no key stands in a path
  expect((await olga.post(`licences/${now}/revoke`, { reason })).status).toBe(404);
  const seen = await auditTrail(stage.ctx, { action: "licence.key_revealed", limit: 10 });
  expect(seen).toHaveLength(2);
  expect(JSON.stringify(seen)).not.toContain(now);
  stage.advance(10 * minute);
  expect((await asOlga("key")).body).toMatchObject({ status: 403, code: "confirm" });
});

test("support adds at most thirty days to a licence in any thirty days, whoever of support does it; owners as many as they want", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const sam = await atDesk(stage, "sam", "support");
  const sue = await atDesk(stage, "sue", "support");
  const [one, other] = [await handedOut(stage), await handedOut(stage)];
  const extend = (who: typeof sam, id: string, days: number) =>
    who.post(`licences/${id}/extend`, { days, reason }).then(({ status, body }) => body.code ?? status);
  expect(await extend(sam, one.id, 31)).toBe("extension_cap");
  expect(await extend(olga, one.id, 400)).toBe(200);
  expect([
    await extend(sam, one.id, 20),
    await extend(sue, one.id, 11),
    await extend(sue, one.id, 10),
  ]).toEqual([200, "extension_cap", 200]);
  expect(await extend(sam, one.id, 1)).toBe("extension_cap");
  expect(await extend(sam, other.id, 30)).toBe(200);
  const [licence] = await stage.ctx.store.db.select().from(licences).where(eq(licences.id, one.id));
  expect(licence?.days).toBe(460);
  stage.advance(30 * day + minute);
  const later = await atDesk(stage, "sven", "support");
  expect(await extend(later, one.id, 30)).toBe(200);
});

test("two hundred extensions by support at once add thirty days", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const { id } = await handedOut(stage);
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => sam.post(`licences/${id}/extend`, { days: 6, reason })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ body }) => body.code === "extension_cap")).toHaveLength(195);
  const [licence] = await stage.ctx.store.db.select().from(licences).where(eq(licences.id, id));
  expect(licence?.days).toBe(60);
});

test("the log of an extension has the end before and after it, once the key was redeemed", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const { id, key } = await handedOut(stage, 30);
  await sam.post(`licences/${id}/extend`, { days: 1, reason });
  await stage.person().register(key, "ada");
  const { expires_at: before } = (await sam.get(`licences/${id}`)).body.data;
  const { expires_at: after } = (await sam.post(`licences/${id}/extend`, { days: 2, reason })).body.data;
  expect(Date.parse(after) - Date.parse(before)).toBe(2 * day);
  const log = await auditTrail(stage.ctx, { action: "licence.extended", limit: 2 });
  expect(log.map(({ detail }) => detail)).toEqual([{ days: 2, before, after }, { days: 1 }]);
});

test("a lifetime is not extended", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id } = await handedOut(stage, null);
  expect((await olga.post(`licences/${id}/extend`, { days: 3, reason })).body).toMatchObject({
    status: 409,
    code: "license_pointless",
  });
});
