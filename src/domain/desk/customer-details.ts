import { toWire } from "@/contract/wire/to-wire";
import { and, eq, inArray, isNull } from "drizzle-orm";
import { type CustomerDetails, deskLink, deviceRow } from "@/contract/wire/desk/details";
import type { PaymentRow } from "@/contract/wire/desk/rows";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { seatsOf as computersOf } from "../devices/read";
import { type Link, linkOf } from "../discord/links";
import { authorize } from "../permissions";
import { accounts } from "../schema/accounts";
import { payments } from "../schema/payments";
import { staff } from "../schema/staff";
import { tickets } from "../schema/tickets";
import { timelineOfAccount } from "./audit";
import { customerRows } from "./customers";
import { licenceList, licenceRows, licencesWith } from "./licences";
import { newest, newestPlaces, placesOf } from "./newest";
import { notesAbout } from "./notes";
import { paymentList, paymentRows, paymentsWith } from "./payments";
import { subscriptionList, subscriptionRows, subscriptionsWith } from "./subscriptions";
import { ticketList, ticketRows } from "./tickets";

const first = { after: null, most: pageRows };
const idsOf = (places: { id: string }[]) => places.map(({ id }) => id);

/** What staff see of a customer: the account, what belongs to it, and its history. Refuses with `not_found`. */
export async function customerDetails(ctx: Ctx, actor: Actor, id: string): Promise<CustomerDetails> {
  authorize(actor, "desk.read");
  const [account] = await ctx.store.db
    .select({ timezone: accounts.timezone, role: staff.role })
    .from(accounts)
    .leftJoin(staff, eq(staff.accountId, accounts.id))
    .where(eq(accounts.id, id));
  const [row] = await customerRows(ctx, [id]);
  if (!account || !row) throw new Refusal("not_found", { sentence: "There is no such customer." });
  const link = await linkOf(ctx, id);
  const licences = await licenceRows(
    ctx,
    idsOf(await placesOf(ctx, licenceList, await licencesWith(ctx, { customer: id }), first)),
  );
  return {
    ...row,
    staff: account.role,
    timezone: account.timezone,
    timeline: await timelineOfAccount(ctx, id),
    licences,
    payments: await paymentsOf(
      ctx,
      id,
      licences.flatMap(({ payment }) => payment ?? []),
    ),
    devices: await devicesOf(ctx, id),
    subscriptions: await subscriptionRows(
      ctx,
      idsOf(await placesOf(ctx, subscriptionList, subscriptionsWith(ctx, { customer: id }), first)),
    ),
    tickets: await ticketsOf(ctx, id, link),
    notes: await notesAbout(ctx, id),
    link: link ? linkOnDesk(link) : null,
  };
}

/** The newest payments that the account made while signed in, or whose licences it redeemed. */
async function paymentsOf(ctx: Ctx, customer: string, redeemed: string[]): Promise<PaymentRow[]> {
  const made = await placesOf(ctx, paymentList, paymentsWith(ctx, { customer }), first);
  const others = redeemed.filter((id) => !made.some((place) => place.id === id));
  const { id, createdAt } = payments;
  const elsewhere = await ctx.store.db
    .select({ id, at: createdAt })
    .from(payments)
    .where(inArray(id, [...new Set(others)]));
  return paymentRows(ctx, idsOf(newest([...made, ...elsewhere], pageRows)));
}

async function devicesOf(ctx: Ctx, accountId: string): Promise<CustomerDetails["devices"]> {
  const { devices } = await computersOf(ctx, accountId);
  return devices.slice(0, pageRows).map((device) => toWire(deviceRow, device));
}

/** The account's tickets, and those that its Discord user opened without an account. */
async function ticketsOf(ctx: Ctx, customer: string, link: Link | undefined) {
  const { accountId, discordUserId } = tickets;
  const unowned = link ? [and(isNull(accountId), eq(discordUserId, link.discordUserId))] : [];
  const conditions = [eq(accountId, customer), ...unowned];
  return ticketRows(ctx, idsOf(await newestPlaces(ctx, ticketList, conditions, first)));
}

const linkOnDesk = (link: Link) =>
  toWire(deskLink, { ...link, discordId: link.discordUserId, name: link.displayName });
