/** What the simulator for Stripe says of one session: `GET /_control/ledger`. */
export type LedgerAccount = {
  session: string;
  status: string | null;
  payment_status: string;
  intent_status: string | null;
  email: string | null;
  metadata: object | null;
  paid: boolean;
  fully_refunded: boolean;
  dispute: { id: string; status: string } | null;
};

export type Due = {
  state: "open" | "processing" | "succeeded" | "failed" | "expired" | "disputed" | "refunded";
  /** Of the licence; null where there must be none. */
  standing: "good" | "disputed" | "refunded" | "revoked" | null;
};

/** What the shop must hold of a session, read from the contract's table and not from the shop's code. */
export function dueOf(account: LedgerAccount): Due {
  if (account.status === "open") return { state: "open", standing: null };
  if (account.status === "expired") return { state: "expired", standing: null };
  if (!account.paid) {
    return { state: account.intent_status === "processing" ? "processing" : "failed", standing: null };
  }
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

/** What the shop must hold of each session, by what the simulator has. */
export async function duesOf(stripeUrl: string): Promise<Map<string, Due>> {
  const accounts = await ledgerOf(stripeUrl);
  return new Map(accounts.map((account) => [account.session, dueOf(account)]));
}
