import type { Replayed, WebhookRow } from "@/contract/wire/desk/webhooks";
import type { WebhookType } from "@/contract/wire/webhooks";
import { counted } from "../../parts/format";
import type { OperationField, FieldTexts } from "../../operation/operation";

/** A box for each kind of event. */
export const eventFields = (of?: WebhookRow): OperationField[] =>
  webhookTypeList.map(([type, when]) => ({
    name: type,
    label: `${type}: ${when}`,
    type: "check",
    optional: true,
    initial: of?.events?.includes(type) ? "on" : "",
  }));

/** The checked kinds; null for all, also later ones. */
export function chosenEvents(typed: FieldTexts): string[] | null {
  const chosen = webhookTypeList.flatMap(([type]) => (typed[type] === "on" ? [type] : []));
  return chosen.length === 0 ? null : chosen;
}

/** When a replay begins: some time in the past. */
export const sinceOf = (field: OperationField): OperationField => ({
  ...field,
  optional: false,
  check: (text) => (new Date(text) < new Date() ? undefined : "Choose a time in the past"),
});

/** What a replay sends, in a sentence. */
export function replayedSentence({
  finished,
  events,
  deliveries,
  already_waiting,
  disabled,
}: Replayed): string {
  const sent = `${counted(events, "event")} again: ${counted(deliveries, "new delivery", "new deliveries")}`;
  const waiting = already_waiting > 0 ? `, ${already_waiting.toLocaleString("en-US")} already waiting` : "";
  const left = disabled.length > 0 ? `, ${counted(disabled.length, "disabled webhook")} left out` : "";
  return `${sent}${waiting}${left}${finished ? "" : ". The replay continues"}`;
}

export const webhookState = ({ disabled_at, failing_since }: WebhookRow) =>
  disabled_at !== null ? "disabled" : failing_since !== null ? "failing" : "active";

/** When each event is sent. Its keys repeat the contract's list, which would load zod. */
const webhookTypes: Record<WebhookType, string> = {
  "order.paid": "an order was paid or was free",
  "order.refunded": "an order's refunds changed",
  "order.disputed": "a bank opened a dispute",
  "order.dispute_closed": "a dispute ended",
  "license.issued": "a license was sold or issued",
  "license.redeemed": "a license was added to an account",
  "license.changed": "a license's status, end date or number of computers changed",
  "license.ended": "a license was revoked, refunded, lost or expired",
  "subscription.started": "a subscription or trial started",
  "subscription.renewed": "a renewal was paid",
  "subscription.changed": "a subscription switched to another offer",
  "subscription.past_due": "a renewal couldn't be charged",
  "subscription.ending": "a subscription was canceled and runs until its end",
  "subscription.ended": "a subscription ended",
  "device.added": "a computer was added",
  "device.removed": "a computer was removed",
  "account.created": "someone registered",
  "account.deleted": "an account was erased",
  "discord.linked": "an account was linked to a Discord user",
  "discord.unlinked": "an account was unlinked from its Discord user",
  "ticket.opened": "a ticket was opened or reopened",
  "ticket.closed": "a ticket was closed",
  "release.published": "a release was published",
  "webhook.test": "staff sent a test",
};

const webhookTypeList = Object.entries(webhookTypes);
