import { useQuery } from "@tanstack/react-query";
import type { CustomerDetails, PaymentDetails } from "@/contract/wire/desk/details";
import type { LicenceRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";
import { detailsQuery } from "../../../api/desk/details";
import { unrefundedAmount } from "../parts/total";

type Props = { payment: PaymentDetails; amount: number | null; proposes?: boolean; keeps?: boolean };

/** "Refunds USD 9.99, revokes 1 license, removes the role from ada#1." */
export function RefundConsequence({ payment, amount, proposes = false, keeps = false }: Props) {
  const owner = validLicences(payment).find(({ customer }) => customer !== null)?.customer?.id;
  const { data: holder } = useQuery({
    ...detailsQuery("customers", owner ?? ""),
    enabled: owner !== undefined,
  });
  const { currency } = payment.bill;
  const refunds = `${proposes ? "Asks an owner to refund" : "Refunds"} ${amount === null ? "…" : money(amount, currency)}`;
  return amount === null ? `${refunds}.` : `${refunds}${effectOf(payment, { amount, keeps, holder })}`;
}

type Refund = { amount: number; keeps: boolean; holder: CustomerDetails | undefined };

/** The rest of the sentence: what a refund of that amount ends, and what continues. */
function effectOf(payment: PaymentDetails, { amount, keeps, holder }: Refund): string {
  if (amount < unrefundedAmount(payment))
    return ". No license is affected, because part of the payment remains.";
  const valid = validLicences(payment);
  const { subscription } = payment;
  if (!subscription) {
    const taken = `revokes ${valid.length} ${valid.length === 1 ? "license" : "licenses"}`;
    return valid.length === 0 ? noneStands : `, ${[taken, ...roleLost(valid, holder)].join(", ")}.`;
  }
  const runs = subscription.status !== "ended";
  const things = [...(valid.length > 0 ? ["license"] : []), ...(runs ? ["subscription"] : [])];
  if (things.length === 0) return noneStands;
  if (keeps || !subscription.ends_if_refunded) {
    const kept = things.map((thing) => `the ${thing}`).join(" and ");
    return `. ${kept.replace("the", "The")} ${things.length === 1 ? "continues" : "continue"}.`;
  }
  const ended = runs ? `the subscription${valid.length > 0 ? " and its license" : ""}` : "the license";
  return `, ${[`ends ${ended} right away`, ...roleLost(valid, holder)].join(", ")}.`;
}

const noneStands = ". No license is affected.";

/** The licences that the payment, or its subscription, pays for and that were not taken before. */
function validLicences({ licences, subscription }: PaymentDetails): LicenceRow[] {
  if (!subscription) return licences.filter(({ status }) => !["refunded", "revoked"].includes(status));
  const { licence } = subscription;
  return licence && !["refunded", "revoked", "expired"].includes(licence.status) ? [licence] : [];
}

/** The role goes with its holder's last active licence. */
function roleLost(taken: LicenceRow[], holder: CustomerDetails | undefined): string[] {
  if (taken.length === 0 || holder?.link?.holds_role !== true) return [];
  const goesOn = holder.licences.some(
    ({ id, status }) => status === "active" && !taken.some((licence) => licence.id === id),
  );
  return goesOn ? [] : [`removes the role from ${holder.link.name ?? holder.username}`];
}
