import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useParams } from "react-router";
import { replayWebhooks, showDelivery } from "@/contract/operations/webhooks";
import type { Delivery as DeliveryDetails } from "@/contract/wire/desk/webhooks";
import { itemQuery } from "../../../../api/desk/collections";
import { Card, CardTitle } from "../../../../ui/card";
import { DetailHead } from "../../detail/detail-page";
import { Detailed } from "../../detail/detailed";
import { fact, Facts } from "../../detail/facts";
import { deskOperation } from "../../operation/operation";
import { OperationBar } from "../../operation/operation-bar";
import { Status } from "../../parts/status";
import { When } from "../../parts/when";
import { replayedSentence } from "./fields";
import { answerOf } from "./webhook";
import { deliveryWords } from "../../parts/words";

/** A delivery: what was sent, and what was answered. */
export function Delivery() {
  const { id = "" } = useParams();
  const query = useQuery(itemQuery(showDelivery, { id }));
  return <Detailed query={query}>{(delivery) => <Page delivery={delivery} />}</Detailed>;
}

function Page({ delivery }: { delivery: DeliveryDetails }) {
  const { id, endpoint, event, type, state, attempts, body, answer } = delivery;
  const again = deskOperation(replayWebhooks, {
    name: "Replay",
    icon: History,
    consequence: () => "Resends it with the same id and body. A receiver that knows the id ignores it.",
    form: () => [],
    sent: () => ({ id }),
    done: replayedSentence,
  });
  return (
    <div className="flex flex-col gap-6">
      <DetailHead
        list={{ to: `/desk/settings/webhooks/${encodeURIComponent(endpoint)}`, name: "Webhook" }}
        heading={<h2 className="min-w-0 text-lg font-semibold wrap-anywhere">{type}</h2>}
        badge={<Status of={state} words={deliveryWords} />}
        operations={<OperationBar operations={[again]} />}
      />
      <Facts
        title="Delivery"
        facts={[
          fact("Response", answerOf(delivery)),
          fact("Tries", attempts),
          fact("Created", <When at={delivery.created_at} />),
          fact("Last try", <When at={delivery.tried_at} none="None yet" />),
          delivery.due_at === null ? null : fact("Next try", <When at={delivery.due_at} />),
          fact("Event", <code className="font-mono text-xs">{event}</code>, event),
          fact("Id", <code className="font-mono text-xs">{id}</code>, id),
        ]}
      />
      <Text title="Request" text={inLines(body)} />
      {answer !== null && <Text title="Response (first kilobyte)" text={answer || "Empty"} />}
    </div>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <Card aria-label={title} className="gap-3">
      <CardTitle>{title}</CardTitle>
      <pre className="max-h-96 overflow-y-auto rounded-md border bg-well p-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
    </Card>
  );
}

/** JSON, indented; anything else as it is. */
function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
