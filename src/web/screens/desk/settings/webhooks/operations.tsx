import { FlaskConical, History, Pencil, Power, RefreshCcwDot, Trash2 } from "lucide-react";
import {
  changeWebhook,
  enableWebhook,
  removeWebhook,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhook,
} from "@/contract/operations/webhooks";
import type { WebhookDetails } from "@/contract/wire/desk/webhooks";
import { webAddress } from "../../operation/checks";
import { deskOperation, type Operation } from "../../operation/operation";
import { ShownOnce } from "../../parts/shown-once";
import { chosenEvents, eventFields, replayedSentence, sinceOf } from "./fields";

/** What owners do to an endpoint; `gone` is called once it is removed. */
export function webhookOperations(webhook: WebhookDetails, gone: () => void): Operation[] {
  const { id, url, disabled_at, waiting } = webhook;
  const test = deskOperation(testWebhook, {
    id,
    name: "Test",
    icon: FlaskConical,
    consequence: () =>
      `Sends webhook.test to ${url}, whatever it listens to. The deliveries tell how it went.`,
    done: () => "The test is on its way",
  });
  const enable = deskOperation(enableWebhook, {
    id,
    name: "Enable",
    icon: Power,
    consequence: () => `Sends to ${url} again, from the next event on. A replay sends what it missed.`,
    done: () => "It is sent to again",
  });
  const change = deskOperation(changeWebhook, {
    id,
    name: "Change",
    icon: Pencil,
    consequence: () => "Holds from the next event on. The secret stays.",
    form: (field) => [field("url", { initial: url, check: webAddress }), ...eventFields(webhook)],
    sent: (typed) => ({ url: typed["url"], events: chosenEvents(typed) }),
    done: () => "The webhook is changed",
  });
  const replay = deskOperation(replayWebhooks, {
    name: "Replay",
    icon: History,
    consequence: () => `Sends ${url} every event since that time again, with the same ids.`,
    form: (field) => [sinceOf(field("since"))],
    sent: ({ since = "" }) => ({ since: new Date(since).toISOString(), endpoint: id }),
    done: replayedSentence,
  });
  const rotate = deskOperation(rotateWebhookSecret, {
    id,
    name: "Rotate secret",
    icon: RefreshCcwDot,
    grave: true,
    consequence: ({ at_once }) =>
      at_once === "on"
        ? "The former secret signs no longer, at once: the receiver refuses what is sent until it has the new one."
        : "The former secret signs beside the new one for 24 hours.",
    done: () => "The webhook has a new secret",
    result: ({ secret }) => (
      <ShownOnce text={secret} note="Copy the new secret now: it is never shown again." />
    ),
  });
  const remove = deskOperation(removeWebhook, {
    id,
    name: "Remove",
    icon: Trash2,
    grave: true,
    consequence: () =>
      `Sends nothing to ${url} any more and forgets its deliveries${waiting > 0 ? `, ${waiting} that wait too` : ""}.`,
    done() {
      gone();
      return "The webhook is removed";
    },
  });
  return [disabled_at === null ? test : enable, change, replay, rotate, remove];
}
