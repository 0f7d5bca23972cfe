import { expect, test } from "bun:test";
import { eq, isNull } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import { links } from "@/domain/schema/discord";
import { atDesk } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { me, member, turnOnMfa } from "../accounts/people";

const reason = "asked in ticket 12";

async function customerOf(stage: Stage, name = "ada") {
  const person = await member(stage, name);
  const [account] = await stage.ctx.store.db.select().from(accounts).where(eq(accounts.username, name));
  return { person, id: account?.id ?? "" };
}

test("an owner helps a customer who lost their computer, authenticator, mailbox or browser", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { person, id } = await customerOf(stage);
  const post = (verb: string, body: object = {}) => olga.post(`customers/${id}/${verb}`, { reason, ...body });

  expect((await post("reset-device")).body).toMatchObject({ status: 409, code: "hwid_not_set" });
  expect((await post("reset-mfa")).body).toMatchObject({ status: 409, code: "mfa_off" });
  await turnOnMfa(stage, person);
  expect((await post("reset-mfa")).body.data).toMatchObject({ id, username: "ada", two_factor: false });
  expect((await post("change-email", { email: "ada@new.example" })).body.data.email).toBe("ada@example.com");
  await stage.shop.worker.drain();
  expect(stage.mail.messages("ada@new.example")).toHaveLength(1);
  expect((await post("change-email", { email: "ada@example.com" })).body.code).toBe("email_unchanged");
  expect((await me(person)).status).toBe(200);
  expect((await post("sign-out")).status).toBe(200);
  expect((await me(person)).status).toBe(401);

  const discord_id = "123456789012345678";
  expect((await post("unlink")).body).toMatchObject({ status: 404, code: "link_unknown" });
  expect((await post("link", { discord_id })).status).toBe(200);
  expect(await stage.ctx.store.db.select().from(links)).toMatchObject([
    { accountId: id, discordUserId: discord_id },
  ]);
  expect((await post("unlink")).status).toBe(200);
  expect((await post("erase")).body.data).toEqual({ id, erased: true });
  expect((await post("sign-out")).body).toMatchObject({ status: 404, code: "not_found" });
  const log = await auditTrail(stage.ctx, { actor: (await accountId(stage, "olga")) ?? "", limit: 50 });
  const actions = log
    .filter(({ subject, accountId: of }) => subject === id || of === id)
    .map(({ action }) => action);
  expect(new Set(actions)).toEqual(
    new Set([
      "account.erased",
      "session.all_ended_by_staff",
      "email.requested_by_staff",
      "mfa.reset_by_staff",
      "discord.linked",
      "discord.unlinked",
    ]),
  );
  expect(new Set(log.filter(({ action }) => actions.includes(action)).map((one) => one.reason))).toEqual(
    new Set([reason]),
  );
});

const accountId = async (stage: Stage, name: string) =>
  (await stage.ctx.store.db.select().from(accounts).where(eq(accounts.username, name)))[0]?.id;

test("a granted licence is issued, on the account, mailed and logged at once, and adds nothing to a lifetime", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const month = { id: "month", name: "A month", amount: 300, days: 30, reason };
  expect((await olga.post("offers", month)).status).toBe(200);
  const { person, id } = await customerWithoutLicence(stage);
  const grant = (offer: string) => olga.post(`customers/${id}/grant`, { offer, reason });
  expect((await grant("nothing")).body).toMatchObject({ status: 400, code: "offer_unknown" });
  const answers = await Promise.all(Array.from({ length: 3 }, () => grant("month")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.at(-1)?.body.data.active_license).toBe(true);
  const held = await stage.ctx.store.db.select().from(licences).where(eq(licences.accountId, id));
  const own = held.filter(({ days }) => days === 30);
  expect(own).toHaveLength(3);
  const ends = own.map(({ expiresAt }) => expiresAt?.getTime() ?? 0).toSorted((one, other) => one - other);
  // one after the other
  expect(Math.round(((ends[2] ?? 0) - (ends[0] ?? 0)) / day)).toBe(60);
  await stage.shop.worker.drain();
  const mails = stage.mail
    .messages("ada@example.com")
    .filter(({ subject }) => subject?.includes("was added"));
  expect(mails).toHaveLength(3);
  expect((await me(person)).data.active_license).toBe(true);
  expect((await grant("premium")).status).toBe(200);
  expect((await grant("month")).body).toMatchObject({ status: 409, code: "license_pointless" });
  const log = await auditTrail(stage.ctx, { action: "licence", limit: 50 });
  for (const action of ["licence.issued", "licence.added"])
    expect(
      log.filter((one) => one.action === action && one.reason === reason && one.actorRole === "owner"),
    ).toHaveLength(4);
});

test("the shop's last owner is not erased on the desk", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const id = (await accountId(stage, "olga")) ?? "";
  expect((await olga.post(`customers/${id}/erase`, { reason })).body).toMatchObject({
    status: 409,
    code: "last_owner",
  });
  expect((await olga.get("me")).status).toBe(200);
  const oskar = await atDesk(stage, "oskar", "owner");
  expect((await oskar.post(`customers/${id}/erase`, { reason })).status).toBe(200);
  expect((await olga.get("me")).status).toBe(401);
});

/** Registered with a key that was revoked since. */
async function customerWithoutLicence(stage: Stage) {
  const found = await customerOf(stage);
  await stage.ctx.store.db
    .update(licences)
    .set({ revokedAt: stage.ctx.now() })
    .where(eq(licences.accountId, found.id));
  await stage.ctx.store.db.delete(licences).where(isNull(licences.redeemedAt));
  return found;
}
