import { FlaskConical, History, Pencil, Power, RefreshCcwDot, Trash2 } from "lucide-react";
import type { Replayed, WebhookDetails, WebhookWithSecret } from "@/contract/wire/desk/webhooks";
import { writeDesk } from "../../../../api/desk/call";
import type { Operation } from "../../operation/operation";
import { ShownOnce } from "../../parts/shown-once";
import { chosenEvents, endpointFields, replayedSentence, sinceField } from "./fields";

/** What owners do to an endpoint; `gone` is called once it is removed. */
export function webhookOperations(webhook: WebhookDetails, gone: () => void): Operation[] {
  const { id, url, disabled_at, waiting } = webhook;
  const send = <Answer,>(verb: string, body: object) =>
    writeDesk<Answer>(`webhooks/${encodeURIComponent(id)}/${verb}`, body);

  const test: Operation = {
    name: "Test",
    icon: FlaskConical,
    consequence: () =>
      `Sends webhook.test to ${url}, whatever it listens to. The deliveries tell how it went.`,
    run: (_, reason) => send("test", { reason }),
    done: () => "The test is on its way",
  };
  const enable: Operation = {
    name: "Enable",
    icon: Power,
    consequence: () => `Sends to ${url} again, from the next event on. A replay sends what it missed.`,
    run: (_, reason) => send("enable", { reason }),
    done: () => "It is sent to again",
  };
  const change: Operation = {
    name: "Change",
    icon: Pencil,
    consequence: () => "Holds from the next event on. The secret stays.",
    fields: endpointFields(webhook),
    run: (typed, reason) => send("change", { url: typed["url"], events: chosenEvents(typed), reason }),
    done: () => "The webhook is changed",
  };
  const replay: Operation<Replayed> = {
    name: "Replay",
    icon: History,
    consequence: () => `Sends ${url} every event since that time again, with the same ids.`,
    fields: [sinceField],
    run: ({ since = "" }, reason) =>
      writeDesk<Replayed>("webhooks/replay", { since: new Date(since).toISOString(), endpoint: id, reason }),
    done: replayedSentence,
  };
  const rotate: Operation<WebhookWithSecret> = {
    name: "Rotate secret",
    icon: RefreshCcwDot,
    grave: true,
    consequence: ({ at_once }) =>
      at_once === "on"
        ? "The former secret signs no longer, at once: the receiver refuses what is sent until it has the new one."
        : "The former secret signs beside the new one for 24 hours.",
    fields: [
      { name: "at_once", label: "The former one leaked: end it at once", type: "check", optional: true },
    ],
    run: ({ at_once }, reason) => send<WebhookWithSecret>("rotate", { at_once: at_once === "on", reason }),
    done: () => "The webhook has a new secret",
    result: ({ secret }) => (
      <ShownOnce text={secret} note="Copy the new secret now: it is never shown again." />
    ),
  };
  const remove: Operation = {
    name: "Remove",
    icon: Trash2,
    grave: true,
    consequence: () =>
      `Sends nothing to ${url} any more and forgets its deliveries${waiting > 0 ? `, ${waiting} that wait too` : ""}.`,
    async run(_, reason) {
      await send("remove", { reason });
      gone();
    },
    done: () => "The webhook is removed",
  };
  return [disabled_at === null ? test : enable, change, replay, rotate, remove] as Operation[];
}
