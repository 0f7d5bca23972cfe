import { useQuery } from "@tanstack/react-query";
import { Gavel, HandCoins } from "lucide-react";
import { useMemo, useState } from "react";
import { acceptDispute, contestDispute, showEvidence } from "@/contract/operations/payments";
import { disputeReason, disputeWords, isInquiry } from "@/contract/vocabulary/dispute-words";
import { minute } from "@/contract/vocabulary/time";
import { money } from "@/contract/vocabulary/money";
import type { PaymentDetails } from "@/contract/wire/desk/details";
import { callOperation } from "../../../api/desk/operations";
import { formatTime } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { StateBadge } from "../../../parts/state-badge";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { deskOperation, type Operation } from "../operation/operation";
import { OperationDialog } from "../operation/operation-dialog";
import { useAllowed } from "../operation/use-allowed";
import { useCommands } from "../palette/commands";
import { When } from "../parts/when";

type Dispute = NonNullable<PaymentDetails["dispute"]>;
type Door = { operation: Operation; means: string };

/** What a bank disputes, until when it awaits an answer, what that costs, and the two answers side by side. */
export function DisputeCard({ payment, refund }: { payment: PaymentDetails; refund: Operation | false }) {
  const { dispute } = payment;
  const allowed = useAllowed();
  if (!dispute) return null;
  const { status, reason, due } = dispute;
  const noun = isInquiry(status) ? "Inquiry" : "Dispute";
  const answers = doors(payment, dispute, refund).filter(({ operation }) => allowed([operation]).length > 0);
  const isOwners = answers.some(({ operation }) => operation.declared === contestDispute);
  return (
    <Card aria-label={noun} className="gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <CardTitle>{noun}</CardTitle>
        <StateBadge of={disputeWords(status)} name={status} />
      </div>
      <p className="font-medium wrap-anywhere">{disputeReason(reason)}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
        {due !== null && (
          <>
            <dt className="text-muted-foreground">Answer by</dt>
            <dd className="font-medium">
              <span>{`${formatTime(new Date(due))}, `}</span>
              <When at={due} />
            </dd>
          </>
        )}
        <dt className="text-muted-foreground">Cost</dt>
        <dd>{costOf(dispute)}</dd>
      </dl>
      {due !== null && (
        <p className="text-sm text-muted-foreground">{isOwners ? finality(status) : whoAnswers(status)}</p>
      )}
      {due !== null && answers.length > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2">
          {answers.map((door) => (
            <Answer key={door.operation.name} {...door} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Answer({ operation, means }: Door) {
  const [isOpen, setOpen] = useState(false);
  const { name, icon: Icon } = operation;
  useCommands(useMemo(() => [{ name: `${name}…`, icon: Icon, run: () => setOpen(true) }], [name, Icon]));
  return (
    <li className="flex flex-col gap-3 rounded-md border p-4">
      <p className="flex-1 text-sm text-soft">{means}</p>
      <Button variant="outline" className="self-start" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon aria-hidden="true" />
        <span>{name}</span>
      </Button>
      {isOpen && <OperationDialog operation={operation} onClose={() => setOpen(false)} />}
    </li>
  );
}

const finality = (status: string) =>
  isInquiry(status)
    ? "Evidence can be sent only once."
    : "Both answers are final: evidence can be sent only once, and an accepted dispute is lost.";

const isAppeal = (status: string) => status.startsWith("appeal_");
const whoAnswers = (status: string) =>
  isAppeal(status) ? "An appeal is answered in Stripe's dashboard." : "An owner has to answer it.";

const sumOf = ({ amount, currency }: Dispute) =>
  amount !== null && currency !== null ? money(amount, currency) : "the payment";

/** https://docs.stripe.com/disputes/how-disputes-work#dispute-fees */
function costOf(dispute: Dispute): string {
  const sum = sumOf(dispute);
  switch (dispute.status) {
    case "won":
      return `The bank returned ${sum}. Stripe may keep its dispute fee.`;
    case "lost":
      return `The bank keeps ${sum}, and Stripe keeps its dispute fee.`;
    case "prevented":
    case "warning_closed":
      return `The bank took nothing of ${sum}.`;
    default:
      return isInquiry(dispute.status)
        ? `It costs nothing yet. If it becomes a dispute, the bank takes ${sum} and Stripe charges a dispute fee.`
        : `The bank took ${sum} and returns it if you win. Stripe also charged a dispute fee. Contesting may cost a second fee, which Stripe returns if you win.`;
  }
}

function doors({ id }: PaymentDetails, dispute: Dispute, refund: Operation | false): Door[] {
  if (isAppeal(dispute.status)) return [];
  const inquiry = isInquiry(dispute.status);
  const contest = deskOperation(contestDispute, {
    id,
    name: inquiry ? "Send evidence" : "Contest dispute",
    icon: Gavel,
    consequence: () => "The bank gets the evidence below, with your own words.",
    form: (field) => [field("text")],
    preview: ({ text = "" }) => <Evidence id={id} ownWords={text} />,
    sent: ({ text = "" }) => (text === "" ? {} : { text }),
    done: () => "The evidence is with the bank",
  });
  const accept = deskOperation(acceptDispute, {
    id,
    name: "Accept dispute",
    icon: HandCoins,
    consequence: () => `The buyer keeps ${sumOf(dispute)}, and the licenses of this payment end.`,
    done: () => "The dispute is accepted",
  });
  const sends = {
    operation: contest as Operation,
    means: "The payment was right. The bank reads your evidence and decides, usually within three months.",
  };
  if (!inquiry)
    return [
      sends,
      {
        operation: accept,
        means: "The buyer is right, or it isn't worth the work. The buyer keeps the money.",
      },
    ];
  const refunds = { means: "A full refund settles the inquiry, and no dispute follows." };
  return refund ? [sends, { operation: refund, ...refunds }] : [sends];
}

/** What the bank would get, to be read before it is sent. */
function Evidence({ id, ownWords }: { id: string; ownWords: string }) {
  const query = useQuery({
    queryKey: ["desk", "evidence", id],
    queryFn: () => callOperation(showEvidence, { id }),
    staleTime: minute,
  });
  return (
    <Loaded query={query} skeleton={<RowsSkeleton rows={3} />}>
      {(fields) => (
        <dl className="flex flex-col gap-3 text-sm">
          {[...fields, { field: "text", title: "Your own words", text: ownWords || "None" }].map(
            ({ field, title, text }) => (
              <div key={field}>
                <dt className="text-muted-foreground">{title}</dt>
                <dd className="whitespace-pre-line wrap-anywhere">{text}</dd>
              </div>
            ),
          )}
        </dl>
      )}
    </Loaded>
  );
}
