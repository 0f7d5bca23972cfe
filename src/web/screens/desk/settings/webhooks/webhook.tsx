import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { listDeliveries, showWebhook } from "@/contract/operations/webhooks";
import type { DeliveryRow, WebhookDetails } from "@/contract/wire/desk/webhooks";
import { itemQuery } from "../../../../api/desk/collections";
import { NativeSelect } from "../../../../ui/native-select";
import { Collection, type CollectionDefinition } from "../../collection/collection";
import { DetailHead } from "../../detail/detail-page";
import { Detailed } from "../../detail/detailed";
import { fact, Facts } from "../../detail/facts";
import { OperationBar } from "../../operation/operation-bar";
import { Status, stateColumn } from "../../parts/status";
import { choicesOf, deliveryWords, webhookWords } from "../../parts/words";
import { whenColumn } from "../../table/columns";
import { When } from "../../parts/when";
import { webhookOperations } from "./operations";
import { webhookState } from "./fields";

/** An endpoint: whether it works, what may be done to it, and what was sent. */
export function Webhook() {
  const { id = "" } = useParams();
  const query = useQuery(itemQuery(showWebhook, { id }));
  return <Detailed query={query}>{(webhook) => <Page webhook={webhook} />}</Detailed>;
}

function Page({ webhook }: { webhook: WebhookDetails }) {
  const { id, url, events, recent } = webhook;
  const navigate = useNavigate();
  const operations = webhookOperations(webhook, () => void navigate("/desk/settings/webhooks"));
  return (
    <div className="flex flex-col gap-6">
      <DetailHead
        list={{ to: "/desk/settings/webhooks", name: "Webhooks" }}
        heading={<h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{url}</h2>}
        badge={<Status of={webhookState(webhook)} words={webhookWords} />}
        operations={<OperationBar operations={operations} />}
      />
      <Facts
        title="Webhook"
        facts={[
          fact("Listens to", events === null ? "Every event, including future kinds" : events.join(", ")),
          fact("Id", <code className="font-mono text-xs">{id}</code>, id),
          fact("Added", <When at={webhook.created_at} />),
          webhook.failing_since === null ? null : fact("Failing since", <When at={webhook.failing_since} />),
          webhook.disabled_at === null ? null : fact("Disabled", <When at={webhook.disabled_at} />),
          webhook.disabled_why === null ? null : fact("Why", webhook.disabled_why),
          webhook.former_secret_until === null
            ? null
            : fact("Old secret works until", <When at={webhook.former_secret_until} />),
          fact("Waiting", webhook.waiting.toLocaleString("en-US")),
          fact(
            `Of the last ${recent.counted.toLocaleString("en-US")}`,
            `${recent.delivered.toLocaleString("en-US")} delivered, ${recent.failed.toLocaleString("en-US")} failed`,
          ),
        ]}
      />
      <Deliveries endpoint={id} />
    </div>
  );
}

const deliveries: CollectionDefinition<DeliveryRow> = {
  title: "Deliveries",
  lead: "Sent in the last 30 days, newest first.",
  list: listDeliveries,
  icon: Send,
  columns: [
    { id: "type", name: "Event", cell: ({ type }) => type, leads: true },
    stateColumn("state", deliveryWords, "8rem"),
    { id: "answer", name: "Response", cell: answerOf },
    {
      id: "attempts",
      name: "Tries",
      cell: ({ attempts }) => attempts,
      end: true,
      width: "5rem",
      said: "tries",
    },
    whenColumn("created_at", "Created", ({ created_at }) => created_at, { width: "8rem", phone: "time" }),
    whenColumn("due_at", "Next try", ({ due_at }) => due_at, { width: "8rem", said: "next" }),
  ],
  nameOf: ({ type, id }) => `${type} ${id}`,
  to: ({ id }) => `/desk/settings/webhooks/deliveries/${encodeURIComponent(id)}`,
  moves: ({ state, due_at }) =>
    state === "waiting" && due_at !== null && Date.parse(due_at) < Date.now() + 10_000,
  empty: "No deliveries.",
};

export function answerOf({ status, failure, milliseconds }: DeliveryRow): string {
  if (failure !== null) return failure;
  if (status === null) return "–";
  return milliseconds === null
    ? String(status)
    : `${status} after ${milliseconds.toLocaleString("en-US")} ms`;
}

function Deliveries({ endpoint }: { endpoint: string }) {
  const [state, setState] = useState("");
  return (
    <Collection of={deliveries} filters={{ endpoint, ...(state !== "" && { state }) }}>
      <div className="max-w-52">
        <NativeSelect
          aria-label="State"
          value={state}
          onChange={({ target }) => setState(target.value)}
          choices={[["", "All states"], ...Object.entries(choicesOf(deliveryWords))]}
        />
      </div>
    </Collection>
  );
}
