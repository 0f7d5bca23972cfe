import { useQuery } from "@tanstack/react-query";
import type { CustomerDetails, PaymentDetails } from "@/contract/desk/details";
import { money } from "@/contract/money";
import { detailsQuery } from "../../../api/desk/details";
import { leftOf } from "./total";

type Props = { payment: PaymentDetails; amount: number | null; proposes?: boolean };

/** "Refunds USD 9.99, revokes 1 license, takes the role from ada#1." */
export function RefundConsequence({ payment, amount, proposes = false }: Props) {
  const owner = payment.licences.find(({ customer }) => customer !== null)?.customer?.id;
  const { data: holder } = useQuery({
    ...detailsQuery("customers", owner ?? ""),
    enabled: owner !== undefined,
  });
  return refundSentence(payment, amount, { holder, proposes });
}

/** What a refund of that amount does, as a sentence; `holder` has the licences that it takes, if that is known. */
function refundSentence(
  payment: PaymentDetails,
  amount: number | null,
  { holder, proposes = false }: { holder?: CustomerDetails | undefined; proposes?: boolean } = {},
): string {
  const { currency } = payment.bill;
  const [first, ...others] = [
    `${proposes ? "Proposes to an owner to refund" : "Refunds"} ${amount === null ? "…" : money(amount, currency)}`,
    ...takenBy(payment, amount, holder),
  ];
  const rest = others.length > 0 ? others : ["takes no license, because a part stays paid"];
  return `${[first, ...(amount === null ? [] : rest)].join(", ")}.`;
}

/** Only a full refund takes anything. */
function takenBy(
  payment: PaymentDetails,
  amount: number | null,
  holder: CustomerDetails | undefined,
): string[] {
  if (amount === null || amount < leftOf(payment)) return [];
  const standing = payment.licences.filter(({ status }) => !["refunded", "revoked"].includes(status));
  if (standing.length === 0) return ["takes no license, because none stands"];
  const taken = `revokes ${standing.length} ${standing.length === 1 ? "license" : "licenses"}`;
  const others = holder?.licences.filter(
    ({ id, status }) => status === "active" && !standing.some((licence) => licence.id === id),
  );
  const losesRole = holder?.link?.holds_role === true && others?.length === 0;
  return losesRole ? [taken, `takes the role from ${holder.link?.name ?? holder.username}`] : [taken];
}
