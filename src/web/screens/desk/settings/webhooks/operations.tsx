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
      `Sends webhook.test to ${url}, even if it doesn't listen to it. See its deliveries for the result.`,
    done: () => "The test is on its way",
  });
  const enable = deskOperation(enableWebhook, {
    id,
    name: "Enable",
    icon: Power,
    consequence: () => `Sends to ${url} again, starting with the next event. A replay sends what it missed.`,
    done: () => "Webhook enabled",
  });
  const change = deskOperation(changeWebhook, {
    id,
    name: "Change",
    icon: Pencil,
    consequence: () => "Applies from the next event on. The secret stays the same.",
    form: (field) => [field("url", { initial: url, check: webAddress }), ...eventFields(webhook)],
    sent: (typed) => ({ url: typed["url"], events: chosenEvents(typed) }),
    done: () => "Webhook changed",
  });
  const replay = deskOperation(replayWebhooks, {
    name: "Replay",
    icon: History,
    consequence: () => `Resends every event since then to ${url}, with the same ids.`,
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
        ? "The old secret stops working right away. The receiver refuses events until it has the new one."
        : "The old secret keeps working beside the new one for 24 hours.",
    done: () => "Secret rotated",
    result: ({ secret }) => (
      <ShownOnce text={secret} note="Copy the new secret now. You won't see it again." />
    ),
  });
  const remove = deskOperation(removeWebhook, {
    id,
    name: "Remove",
    icon: Trash2,
    grave: true,
    consequence: () =>
      `Stops sending to ${url} and deletes its deliveries${waiting > 0 ? `, including ${waiting} waiting` : ""}.`,
    done() {
      gone();
      return "Webhook removed";
    },
  });
  return [disabled_at === null ? test : enable, change, replay, rotate, remove];
}
