import { expect, test } from "bun:test";
import {
  type Actor,
  customer,
  member,
  operator,
  type DiscordStaff,
  type StaffRole,
  theShop,
} from "@/core/base/actor";
import { accountByName } from "@/domain/accounts/sessions/account";
import { signOutEverywhere } from "@/domain/accounts/credentials/staff-actions";
import { customerForStaff } from "@/domain/customers/for-staff";
import { changeLicence } from "@/domain/licences/changes/change";
import { licenceNamed } from "@/domain/licences/keys/find";
import { closeTicket } from "@/domain/tickets/writing/change";
import { claimTicket } from "@/domain/tickets/writing/claims";
import { addNote } from "@/domain/tickets/writing/notes";
import { openTicket } from "@/domain/tickets/writing/open";
import { openPage } from "@/domain/tickets/reading/for-staff";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { openStage, type Stage } from "../../support/shop/stage";

const staff = (...roles: StaffRole[]): DiscordStaff => ({
  kind: "staff",
  via: "discord",
  discordUserId: "9",
  roles,
  proven: null,
});
const refused = { code: "forbidden" };

const outcomeOf = (doing: Promise<unknown>): Promise<unknown> =>
  doing.then(
    () => "done",
    (error: unknown) => error,
  );

/** What each table of the shop holds that an operation here could change. */
async function stored({ ctx }: Stage) {
  const tables = ["licences", "sessions", "tickets", "ticket_messages", "audit_log", "outbox"];
  return Promise.all(
    tables.map(async (table) => (await ctx.store.client.execute(`SELECT * FROM ${table}`)).rows),
  );
}

test("an operation refuses by itself those who may not, whatever entry point forgot to ask, and changes nothing", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const key = await stage.handOut();
  await stage.person().register(key, "ada");
  const ada = (await accountByName(ctx, "ada"))!;
  const licence = await licenceNamed(ctx, key);
  const ticket = await expectTicket(
    ctx,
    await openTicket(ctx, { topic: "other", member: { id: "1", name: "Ada" }, question: "Help" }),
  );
  const by = (actor: Actor) => ({ actor, reason: "a try" });
  const note = { staff: staff("viewer"), name: "Olga", text: "hm" };
  const tries: (() => unknown)[] = [
    () => changeLicence(ctx, licence, "revoke", by(customer(ada.id))),
    () => changeLicence(ctx, licence, "revoke", by(staff("support"))),
    () => changeLicence(ctx, licence, "revoke", by(staff())),
    () => signOutEverywhere(ctx, ada, by(staff("support", "viewer"))),
    () => customerForStaff(ctx, staff(), ada),
    () => openPage(ctx, member("1"), 1),
    () => claimTicket(ctx, ticket, staff("viewer")),
    () => addNote(ctx, ticket, note),
    // somebody else's
    () => closeTicket(ctx, ticket, { actor: member("2"), reason: null }),
    () => closeTicket(ctx, ticket, { actor: customer(ada.id), reason: null }),
    () => signOutEverywhere(ctx, ada, by(theShop)),
  ];
  const before = await stored(stage);
  for (const attempt of tries)
    expect(await outcomeOf(Promise.resolve().then(attempt))).toMatchObject(refused);
  expect(await stored(stage)).toEqual(before);

  const allowed: (() => Promise<unknown>)[] = [
    () => changeLicence(ctx, licence, "suspend", by(staff("support"))),
    () => changeLicence(ctx, licence, "revoke", by(operator)),
    () => signOutEverywhere(ctx, ada, by(operator)),
    () => customerForStaff(ctx, staff("support"), ada),
    () => claimTicket(ctx, ticket, staff("support")),
    () => closeTicket(ctx, ticket, { actor: member("1"), reason: null }),
  ];
  for (const attempt of allowed) expect(await outcomeOf(attempt())).toBe("done");
  expect((await expectTicket(ctx, ticket.id)).closedBy).toBe("member");
});
