import { addedCauses, type DeviceCause } from "@/contract/vocabulary/devices";
import type { AuditAction } from "@/contract/wire/audit-events";
import type { DeviceEventCause, LicenseCause, WebhookType } from "@/contract/wire/webhooks";
import { paymentStatusOf } from "../payments/port/disputes";
import { openDisputeStatuses } from "../schema/payments";

/** A webhook's type, and the row that it is about. */
export type WebhookEvent = { type: WebhookType; id: string; cause?: LicenseCause | DeviceEventCause };

/** A payment's state as the log records it at a settlement; `refunded` in minor units. */
export type SettledState = { state: string; dispute: string | null; refunded: number };

/** The events of a settlement: of the payment's order, and of each of its `licences`, by their ids. Pure. */
export function paymentEvents(
  order: string,
  { before, after, licences }: { before: SettledState; after: SettledState; licences: string[] },
): WebhookEvent[] {
  const [was, is] = [statusOf(before), statusOf(after)];
  const ofOrder: WebhookType[] = [
    ...(was === null && is !== null ? ["order.paid" as const] : []),
    ...(before.refunded !== after.refunded ? ["order.refunded" as const] : []),
    ...disputeEvents(before.dispute, after.dispute),
  ];
  return [
    ...ofOrder.map((type) => ({ type, id: order })),
    ...licences.flatMap((id) => licenceEvents(was, is).map((event) => ({ ...event, id }))),
  ];
}

/** A dispute that has ended before we first learn of it was also opened. */
function disputeEvents(before: string | null, after: string | null): WebhookType[] {
  const opened = after !== null && before === null;
  const reopened = isOpen(after) && before !== null && !isOpen(before);
  const closed = !isOpen(after) && (isOpen(before) || opened);
  return [
    ...(opened || reopened ? ["order.disputed" as const] : []),
    ...(closed ? ["order.dispute_closed" as const] : []),
  ];
}

const isOpen = (dispute: string | null) => dispute !== null && openDisputeStatuses.includes(dispute);

type Status = "good" | "disputed" | "refunded" | "revoked" | null;

/** A payment's effect on its licences; null if it gave none. */
function statusOf({ state, dispute }: SettledState): Status {
  if (state === "succeeded") return "good";
  if (state === "refunded") return "refunded";
  return state === "disputed" ? paymentStatusOf(dispute) : null;
}

function licenceEvents(before: Status, after: Status): EventOfAction[] {
  if (after === null || before === after) return [];
  if (before === null) {
    const issued = { type: "license.issued", cause: "sold" } as const;
    return after === "good" ? [issued] : [issued, ...licenceEvents("good", after)];
  }
  if (after === "disputed") return [{ type: "license.changed", cause: "disputed" }];
  if (after === "refunded") return [{ type: "license.ended", cause: "refunded" }];
  if (after === "revoked") return [{ type: "license.ended", cause: "lost" }];
  return [{ type: "license.changed", cause: before === "refunded" ? "reinstated" : "won" }];
}

/** The events of an account's computers in an entry's details. */
export function deviceEvents(action: string, detail: Record<string, unknown> | null): WebhookEvent[] {
  const { computer, cause, replaced, computers } = detail ?? {};
  const removed = (which: unknown, why: DeviceEventCause): WebhookEvent[] =>
    ids(which).map((id) => ({ type: "device.removed", id, cause: why }));
  const why = removedBy[action];
  return [
    ...removed(replaced, "application"),
    ...ids(computer).flatMap((id): WebhookEvent[] =>
      isAddedCause(cause) ? [{ type: "device.added", id, cause }] : [],
    ),
    ...(why ? removed(computers, why) : []),
  ];
}

const ids = (value: unknown) => [value].flat().filter((id) => typeof id === "string");

const isAddedCause = (cause: unknown): cause is DeviceCause => addedCauses.some((one) => one === cause);

const removedBy: Readonly<Record<string, DeviceEventCause | undefined>> = {
  "device.reset": "owner",
  "device.reset_by_staff": "staff",
  "account.erased": "erased",
} satisfies Partial<Record<AuditAction, DeviceEventCause>>;

/** The events of licences whose ends another licence of their account moved, as logged at `at`. */
export const moveEvents = (moved: Move[], at: Date): WebhookEvent[] =>
  moved.map(({ licence: id, before, after }) => {
    const isOver = after !== null && new Date(after) <= at && (before === null || new Date(before) > at);
    return isOver
      ? { type: "license.ended", id, cause: "expired" }
      : { type: "license.changed", id, cause: "stacked" };
  });

/** Ends in ISO 8601; null is a lifetime. */
export type Move = { licence: string; before: string | null; after: string | null };

/** What a subscription's payments made of its licence. */
export const statusEvents = (id: string, { before, after }: Record<string, unknown>): WebhookEvent[] =>
  licenceEvents(before as Status, after as Status).map((event) => ({ ...event, id }));

/** A subscription's licence has another end; one that its grace alone moves is nobody's news. */
export const endEvents = (id: string, { cause }: Record<string, unknown>): WebhookEvent[] =>
  cause === "renewed" || cause === "paid_late" ? [{ type: "license.changed", id, cause }] : [];

/** A subscription begins with its first status; one that is cancelled or paused may be resumed. */
export function subscriptionEvents(action: string, id: string, before: unknown): WebhookEvent[] {
  const event = (eventOfAction as Partial<Record<string, EventOfAction>>)[action];
  if (before === null) return [{ type: "subscription.started", id }, ...(event ? [{ ...event, id }] : [])];
  if (event) return [{ ...event, id }];
  const isResumed = before === "ending" || before === "paused";
  return action === "subscription.paused" || isResumed ? [{ type: "subscription.changed", id }] : [];
}

export type EventOfAction = Omit<WebhookEvent, "id">;

/** The webhook that an entry of the log becomes, if it is not about a payment. Its row is the entry's subject. */
export const eventOfAction: Partial<Record<AuditAction, EventOfAction>> = {
  "licence.issued": { type: "license.issued", cause: "issued" },
  "licence.imported": { type: "license.issued", cause: "issued" },
  "licence.redeemed": { type: "license.redeemed", cause: "redeemed" },
  "licence.added": { type: "license.redeemed", cause: "redeemed" },
  "licence.suspended": { type: "license.changed", cause: "suspended" },
  "licence.reinstated": { type: "license.changed", cause: "reinstated" },
  "licence.extended": { type: "license.changed", cause: "extended" },
  "licence.devices_changed": { type: "license.changed", cause: "places" },
  "licence.level_changed": { type: "license.changed", cause: "level" },
  "licence.revoked": { type: "license.ended", cause: "revoked" },
  "licence.expired": { type: "license.ended", cause: "expired" },
  "licence.lapsed": { type: "license.ended", cause: "lapsed" },
  "licence.switched": { type: "license.changed", cause: "switched" },
  "subscription.changed": { type: "subscription.changed" },
  "subscription.past_due": { type: "subscription.past_due" },
  "subscription.ending": { type: "subscription.ending" },
  "subscription.ended": { type: "subscription.ended" },
  "account.registered": { type: "account.created" },
  "account.imported": { type: "account.created" },
  "account.erased": { type: "account.deleted" },
  "discord.linked": { type: "discord.linked" },
  "discord.relinked": { type: "discord.linked" },
  "discord.unlinked": { type: "discord.unlinked" },
  "ticket.opened": { type: "ticket.opened" },
  "ticket.reopened": { type: "ticket.opened" },
  "ticket.closed": { type: "ticket.closed" },
  "release.published": { type: "release.published" },
  "webhook.tested": { type: "webhook.test" },
};
