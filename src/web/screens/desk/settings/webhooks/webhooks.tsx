import { History, Plus, Webhook as WebhookIcon } from "lucide-react";
import { Route, Routes } from "react-router";
import { addWebhook, listWebhooks, replayWebhooks } from "@/contract/operations/webhooks";
import type { WebhookRow } from "@/contract/wire/desk/webhooks";
import { Collection, type CollectionDefinition } from "../../collection/collection";
import { counted } from "../../parts/format";
import { UnknownDeskPage } from "../../parts/unknown-desk-page";
import { webAddress } from "../../operation/checks";
import { deskOperation } from "../../operation/operation";
import { ShownOnce } from "../../parts/shown-once";
import { Status } from "../../parts/status";
import { whenColumn } from "../../table/columns";
import { Delivery } from "./delivery";
import { chosenEvents, eventFields, replayedSentence, sinceOf } from "./fields";
import { Webhook } from "./webhook";
import { webhookState } from "./fields";
import { webhookWords } from "../../parts/words";

const webhooks: CollectionDefinition<WebhookRow> = {
  title: "Webhooks",
  lead: "Send events to other systems.",
  list: listWebhooks,
  icon: WebhookIcon,
  columns: [
    { id: "url", name: "Address", cell: ({ url }) => url, leads: true, width: "minmax(0,2fr)" },
    {
      id: "events",
      name: "Events",
      cell: ({ events }) => (
        <span title={events?.join(", ")}>{events === null ? "All" : counted(events.length, "kind")}</span>
      ),
      width: "7rem",
    },
    {
      id: "state",
      name: "State",
      cell: (row) => <Status of={webhookState(row)} words={webhookWords} />,
      width: "8rem",
      phone: "state",
    },
    whenColumn("failing_since", "Failing since", ({ failing_since }) => failing_since, {
      said: "failing since",
    }),
    whenColumn("created_at", "Added", ({ created_at }) => created_at, { width: "8rem", phone: "time" }),
  ],
  nameOf: ({ url }) => url,
  to: ({ id }) => `/desk/settings/webhooks/${encodeURIComponent(id)}`,
  empty: "No webhooks yet.",
};

/** The endpoints; each has a page with its deliveries, and each delivery has one. */
export function Webhooks() {
  return (
    <Routes>
      <Route index element={<Collection of={webhooks} make={[add, replayAll]} />} />
      <Route path="deliveries/:id" element={<Delivery />} />
      <Route path=":id" element={<Webhook />} />
      <Route path="*" element={<UnknownDeskPage />} />
    </Routes>
  );
}

const add = deskOperation(addWebhook, {
  name: "Add webhook",
  icon: Plus,
  consequence: (typed) => {
    const events = chosenEvents(typed);
    return `Sends ${events === null ? "every event, including future kinds," : counted(events.length, "kind of event", "kinds of events")} to ${typed["url"] || "the address"} from now on.`;
  },
  form: (field) => [field("url", { check: webAddress }), ...eventFields()],
  sent: (typed) => ({ url: typed["url"] ?? "", events: chosenEvents(typed) }),
  done: () => "Webhook added",
  result: ({ secret }) => (
    <ShownOnce
      text={secret}
      note="Copy this signing secret now. You won't see it again. If you lose it, rotate it."
    />
  ),
});

const replayAll = deskOperation(replayWebhooks, {
  name: "Replay",
  icon: History,
  consequence: () => "Resends every event since then to each webhook that listens to it, with the same ids.",
  form: (field) => [sinceOf(field("since"))],
  sent: ({ since = "" }) => ({ since: new Date(since).toISOString() }),
  done: replayedSentence,
});
