import type Stripe from "stripe";

/** How somebody pays. It holds only what Stripe keeps of a card, never its number. */
export type Method = {
  type: "card" | "us_bank_account" | "sepa_debit";
  /** A delayed method completes the session unpaid and settles later. */
  delayed: boolean;
  details: Stripe.Charge.PaymentMethodDetails;
};

export function card(last4: string, expiry = { month: 12, year: 2034 }): Method {
  return {
    type: "card",
    delayed: false,
    details: {
      type: "card",
      card: {
        amount_authorized: null,
        authorization_code: null,
        brand: "visa",
        checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
        country: "US",
        electronic_commerce_indicator: null,
        exp_month: expiry.month,
        exp_year: expiry.year,
        fingerprint: `simulated${last4}`,
        funding: "credit",
        installments: null,
        last4,
        mandate: null,
        network: "visa",
        network_token: { used: false },
        network_transaction_id: null,
        regulated_status: "unregulated",
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
    },
  };
}

/** The delayed method that the currency has, if any. */
export function bankDebit(currency: string): Method | null {
  if (currency === "usd") return usBankAccount;
  if (currency === "eur") return sepaDebit;
  return null;
}

/** The delayed method that a session offers, if any. */
export function debitOf(session: Stripe.Checkout.Session): Method | null {
  const debit = bankDebit(session.currency ?? "");
  return debit !== null && session.payment_method_types.includes(debit.type) ? debit : null;
}

const usBankAccount: Method = {
  type: "us_bank_account",
  delayed: true,
  details: {
    type: "us_bank_account",
    us_bank_account: {
      account_holder_type: "individual",
      account_type: "checking",
      bank_name: "STRIPE TEST BANK",
      fingerprint: "simulated6789",
      last4: "6789",
      payment_reference: null,
      routing_number: "110000000",
    },
  },
};

const sepaDebit: Method = {
  type: "sepa_debit",
  delayed: true,
  details: {
    type: "sepa_debit",
    sepa_debit: {
      bank_code: "37040044",
      branch_code: null,
      country: "DE",
      fingerprint: "simulated3000",
      last4: "3000",
      mandate: null,
    },
  },
};
