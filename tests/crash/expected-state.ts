/** What the Stripe simulator's ledger says about one session (`GET /_control/ledger`). */
export type LedgerAccount = {
  session: string;
  status: string | null;
  payment_status: string;
  intent_status: string | null;
  email: string | null;
  metadata: Record<string, string> | null;
  subtotal: number | null;
  off: number;
  taxes: number;
  amount: number | null;
  quantity: number;
  paid: boolean;
  refunded: number;
  fully_refunded: boolean;
  dispute: { id: string; status: string } | null;
};

export type Due = {
  state: "open" | "processing" | "succeeded" | "failed" | "expired" | "disputed" | "refunded";
  /** The licence's; null if there must be none. */
  standing: "good" | "disputed" | "refunded" | "revoked" | null;
};

/** The state that the shop must have for a session, from the contract's table and not from the shop's code. */
export function dueOf(account: LedgerAccount): Due {
  if (account.status === "open") return { state: "open", standing: null };
  if (account.status === "expired") return { state: "expired", standing: null };
  if (!account.paid) {
    return { state: account.intent_status === "processing" ? "processing" : "failed", standing: null };
  }
  // several for nothing are not sold
  if (account.quantity > 1 && account.amount === 0) return { state: "failed", standing: null };
  const dispute = account.dispute?.status ?? "";
  if (dispute === "lost") return { state: "disputed", standing: "revoked" };
  if (dispute === "needs_response" || dispute === "under_review") {
    return { state: "disputed", standing: "disputed" };
  }
  if (account.fully_refunded) return { state: "refunded", standing: "refunded" };
  return { state: "succeeded", standing: "good" };
}

/** Every session that the simulator has. */
export async function ledgerOf(stripeUrl: string): Promise<LedgerAccount[]> {
  const answer = await fetch(`${stripeUrl}/_control/ledger`);
  return ((await answer.json()) as { sessions: LedgerAccount[] }).sessions;
}

/** What the shop must hold for each session, given what the simulator has. */
export async function duesOf(stripeUrl: string): Promise<Map<string, Due>> {
  const accounts = await ledgerOf(stripeUrl);
  return new Map(accounts.map((account) => [account.session, dueOf(account)]));
}

export type DueBill = Record<"asked" | "off" | "tax" | "included" | "paid" | "refunded", number>;

/** The bill that the shop must hold for what was paid, from Stripe's figures alone. */
export function billDue({ subtotal, off, taxes, amount, refunded }: LedgerAccount): DueBill {
  const [asked, paid] = [subtotal ?? 0, amount ?? 0];
  const tax = paid - (asked - off);
  return { asked, off, tax, included: taxes - tax, paid, refunded };
}

/** The same bill in the shop's database. */
export const billColumns =
  "amount * quantity AS asked, off_amount AS off, tax_amount AS tax, tax_included AS included, paid_amount AS paid, refunded_amount AS refunded";

/** The rule of every bill. */
export const addsUp = ({ asked, off, tax, included, paid, refunded }: DueBill): boolean =>
  paid === asked - off + tax && included >= 0 && included <= paid && refunded >= 0 && refunded <= paid;
