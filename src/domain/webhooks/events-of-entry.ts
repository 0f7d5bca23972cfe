import { getTableColumns, sql } from "drizzle-orm";
import { z } from "zod";
import { auditEvents } from "@/contract/wire/audit-events";
import type { Entry } from "@/core/database/audit";
import type { Ctx } from "@/core/database/context";
import { auditLog } from "@/core/database/schema";
import { licencesOfPayment } from "../licences/entitlement/sold";
import type { Licence } from "../schema/licences";
import { paysSubscription, subscriptionRenewedBy } from "../public-queries/subscriptions";
import {
  deviceEvents,
  endEvents,
  type EventOfAction,
  eventOfAction,
  type Move,
  moveEvents,
  paymentEvents,
  type SettledState,
  statusEvents,
  subscriptionEvents,
  type WebhookEvent,
} from "./events";

/** An entry with its details as they are stored. */
export type StoredEntry = Omit<Entry, "detail"> & { detail: string | null };

/** The columns of {@link StoredEntry}: drizzle would fail a whole page for one entry that is no JSON. */
export const storedEntry = {
  ...getTableColumns(auditLog),
  detail: sql<string | null>`${auditLog.detail}`,
};

/** The entry with its details parsed; null if they are no JSON, or not those of its type. */
export function parseEntry(stored: StoredEntry): Entry | null {
  const parsed = detailsOf(stored.action).safeParse(stored.detail);
  return parsed.success ? { ...stored, detail: parsed.data } : null;
}

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("no JSON");
    return z.NEVER;
  }
});
/** Only what is read here is checked. */
const details = json.pipe(z.record(z.string(), z.unknown())).nullable();
const { moved } = auditEvents["licence.ends_moved"].details.shape;
const { before } = auditEvents["payment.succeeded"].details.shape;
const moves = json.pipe(z.looseObject({ moved }));
const settlement = json.pipe(z.looseObject({ before }));

function detailsOf(action: string) {
  if (action === "licence.ends_moved") return moves;
  return stateIn(action) === null ? details : settlement;
}

/** The webhooks that an entry becomes; most become none. */
export async function eventsOf(ctx: Ctx, entry: Entry): Promise<WebhookEvent[]> {
  const { action, subject, accountId, detail, at } = entry;
  if (action === "licence.ends_moved") return moveEvents(detail?.["moved"] as Move[], at);
  if (action === "licence.payment_changed") return statusEvents(subject, detail ?? {});
  if (action === "licence.end_moved") return endEvents(subject, detail ?? {});
  if (stateOfSubscription.test(action)) return subscriptionEvents(action, subject, detail?.["before"]);
  const event = (eventOfAction as Partial<Record<string, EventOfAction>>)[action];
  const ofDevices = deviceEvents(action, detail);
  if (event)
    return [
      ...ofDevices,
      { ...event, id: event.type.startsWith("discord.") ? (accountId ?? subject) : subject },
    ];
  if (ofDevices.length > 0) return ofDevices;
  const after = settledIn(entry);
  if (!after) return [];
  const earlier = detail?.["before"] as SettledState;
  const licences = (await licencesFollowing(ctx, subject, earlier)).map(({ id }) => id);
  const events = paymentEvents(subject, { before: earlier, after, licences });
  const isPaid = events.some(({ type }) => type === "order.paid");
  const renewed = isPaid ? await subscriptionRenewedBy(ctx, subject) : null;
  return [...events, ...(renewed ? [{ type: "subscription.renewed" as const, id: renewed }] : [])];
}

const stateOfSubscription = /^subscription\.(trialing|active|ending|past_due|paused|ended)$/;

/** The licences whose status a settlement changed: a subscription's, once sold, follows all of its payments together. */
async function licencesFollowing(ctx: Ctx, paymentId: string, before: SettledState): Promise<Licence[]> {
  const isSubscriptions = isSold(before) && (await paysSubscription(ctx, paymentId));
  return isSubscriptions ? [] : licencesOfPayment(ctx, paymentId);
}

const isSold = ({ state }: SettledState) => ["succeeded", "refunded", "disputed"].includes(state);

const settlements = ["processing", "succeeded", "failed", "expired", "refunded", "disputed"];

/** The state that a settlement gave its payment; null for the other actions. */
function stateIn(action: string): string | null {
  const state = action.startsWith("payment.") ? action.slice("payment.".length) : "";
  return settlements.includes(state) ? state : null;
}

/** What the entry says that a settlement made of its payment; null where it is about something else. */
function settledIn({ action, detail }: Pick<Entry, "action" | "detail">): SettledState | null {
  const state = stateIn(action);
  if (state === null) return null;
  const { dispute, refunded } = detail ?? {};
  return {
    state,
    dispute: typeof dispute === "string" ? dispute : null,
    refunded: typeof refunded === "number" ? refunded : 0,
  };
}
