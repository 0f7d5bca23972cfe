import type { Replayed, WebhookRow } from "@/contract/wire/desk/webhooks";
import { counted } from "../../parts/format";
import type { OperationField, Typed } from "../../operation/operation";
import { webhookTypeList } from "./webhook-types";

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
export function chosenEvents(typed: Typed): string[] | null {
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
