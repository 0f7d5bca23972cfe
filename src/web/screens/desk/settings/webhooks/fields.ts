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
  const waiting = already_waiting > 0 ? `, ${already_waiting.toLocaleString("en-US")} that waited` : "";
  const left = disabled.length > 0 ? `, ${counted(disabled.length, "disabled webhook")} left out` : "";
  return `${sent}${waiting}${left}${finished ? "" : ". It goes on"}`;
}

export const webhookState = ({ disabled_at, failing_since }: WebhookRow) =>
  disabled_at !== null ? "disabled" : failing_since !== null ? "failing" : "active";

/** When each event is sent. Its keys repeat the contract's list, which would load zod. */
const webhookTypes: Record<WebhookType, string> = {
  "order.paid": "an order was paid, or was free",
  "order.refunded": "what was refunded of it changed",
  "order.disputed": "a bank opened a dispute",
  "order.dispute_closed": "a dispute ended",
  "license.issued": "sold or handed out",
  "license.redeemed": "added to an account",
  "license.changed": "another state, end or number of computers",
  "license.ended": "revoked, refunded, lost or expired",
  "subscription.started": "a subscription or its trial began",
  "subscription.renewed": "a renewal was paid",
  "subscription.changed": "switched to another offer",
  "subscription.past_due": "a renewal could not be charged",
  "subscription.ending": "canceled, and runs until its end",
  "subscription.ended": "it ended",
  "device.added": "an account has a computer more",
  "device.removed": "a computer was removed",
  "account.created": "somebody registered",
  "account.deleted": "an account was erased",
  "discord.linked": "an account has a Discord user",
  "discord.unlinked": "the link ended",
  "ticket.opened": "opened, or opened again",
  "ticket.closed": "closed",
  "release.published": "a release was published",
  "webhook.test": "staff asked for it",
};

const webhookTypeList = Object.entries(webhookTypes);
