import { useQuery } from "@tanstack/react-query";
import type { CustomerDetails, PaymentDetails } from "@/contract/wire/desk/details";
import type { LicenceRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";
import { detailsQuery } from "../../../api/desk/details";
import { counted } from "../parts/format";
import { unrefundedAmount } from "../parts/total";

type Props = { payment: PaymentDetails; amount: number | null; proposes?: boolean; keeps?: boolean };

/** "Refunds USD 9.99 to ada@example.com, revokes 1 license, and removes the role from ada#1." */
export function RefundConsequence({ payment, amount, proposes = false, keeps = false }: Props) {
  const owner = validLicences(payment).find(({ customer }) => customer !== null)?.customer?.id;
  const { data: holder } = useQuery({
    ...detailsQuery("customers", owner ?? ""),
    enabled: owner !== undefined,
  });
  const { currency } = payment.bill;
  const to = payment.email === null ? "" : ` to ${payment.email}`;
  const sum = `${amount === null ? "…" : money(amount, currency)}${to}`;
  const { ends, rest } = amount === null ? unknown : effectOf(payment, { amount, keeps, holder });
  const s = proposes ? "" : "s";
  const does = and.format([`refund${s} ${sum}`, ...ends.map(([verb, what]) => `${verb}${s} ${what}`)]);
  return `${proposes ? `Asks an owner to ${does}` : does.replace("r", "R")}.${rest && ` ${rest}`}`;
}

const and = new Intl.ListFormat("en-US");

/** What a refund ends, a verb and its object each, and a sentence about what it doesn't. */
type Effect = { ends: [verb: string, what: string][]; rest: string };
const unknown: Effect = { ends: [], rest: "" };

type Refund = { amount: number; keeps: boolean; holder: CustomerDetails | undefined };

function effectOf(payment: PaymentDetails, { amount, keeps, holder }: Refund): Effect {
  if (amount < unrefundedAmount(payment))
    return { ends: [], rest: "No license is affected, because part of the payment remains." };
  const valid = validLicences(payment);
  const { subscription } = payment;
  if (!subscription) {
    if (valid.length === 0) return noneStands;
    return { ends: [["revoke", counted(valid.length, "license")], ...roleLost(valid, holder)], rest: "" };
  }
  const runs = subscription.status !== "ended";
  const things = [...(valid.length > 0 ? ["license"] : []), ...(runs ? ["subscription"] : [])];
  if (things.length === 0) return noneStands;
  if (keeps || !subscription.ends_if_refunded) {
    const kept = things.map((thing) => `the ${thing}`).join(" and ");
    return {
      ends: [],
      rest: `${kept.replace("the", "The")} ${things.length === 1 ? "continues" : "continue"}.`,
    };
  }
  const ended = runs ? `the subscription${valid.length > 0 ? " and its license" : ""}` : "the license";
  return { ends: [["end", `${ended} right away`], ...roleLost(valid, holder)], rest: "" };
}

const noneStands: Effect = { ends: [], rest: "No license is affected." };

/** The licences that the payment, or its subscription, pays for and that were not taken before. */
function validLicences({ licences, subscription }: PaymentDetails): LicenceRow[] {
  if (!subscription) return licences.filter(({ status }) => !["refunded", "revoked"].includes(status));
  const { licence } = subscription;
  return licence && !["refunded", "revoked", "expired"].includes(licence.status) ? [licence] : [];
}

/** The role goes with its holder's last active licence. */
function roleLost(taken: LicenceRow[], holder: CustomerDetails | undefined): Effect["ends"] {
  if (taken.length === 0 || holder?.link?.holds_role !== true) return [];
  const goesOn = holder.licences.some(
    ({ id, status }) => status === "active" && !taken.some((licence) => licence.id === id),
  );
  return goesOn ? [] : [["remove", `the role from ${holder.link.name ?? holder.username}`]];
}
