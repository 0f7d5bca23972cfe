import type { Replayed, WebhookRow } from "@/contract/wire/desk/webhooks";
import { counted } from "../../parts/format";
import { webAddress } from "../../operation/checks";
import type { OperationField, Typed } from "../../operation/operation";
import { webhookTypeList } from "./webhook-types";

/** Where an endpoint is, and a box for each kind of event. */
export const endpointFields = (of?: WebhookRow): OperationField[] => [
  {
    name: "url",
    label: "Address",
    initial: of?.url ?? "",
    check: webAddress,
    hint: "Check what it listens to; nothing checked is everything, also later kinds.",
  },
  ...webhookTypeList.map(([type, when]): OperationField => ({
    name: type,
    label: `${type}: ${when}`,
    type: "check",
    optional: true,
    initial: of?.events?.includes(type) ? "on" : "",
  })),
];

/** The checked kinds; null for all, also later ones. */
export function chosenEvents(typed: Typed): string[] | null {
  const chosen = webhookTypeList.flatMap(([type]) => (typed[type] === "on" ? [type] : []));
  return chosen.length === 0 ? null : chosen;
}

export const sinceField: OperationField = {
  name: "since",
  label: "Since",
  type: "datetime-local",
  hint: "In your time zone. What is older than 30 days is gone.",
  check: (text) => (new Date(text) < new Date() ? undefined : "Choose a time in the past"),
};

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
