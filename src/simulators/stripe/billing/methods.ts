import { emit } from "../events";
import { type Decline, type LaterWay, type Method, declines } from "../money/methods";
import { word } from "../../base/words";
import { type World, seconds } from "../world";
import { changeCustomer } from "./customers";
import type { Customer, BankBehaviour, SavedMethod } from "./rows";

type Holder = {
  customer: string;
  email: string | null;
  name: string | null;
  country?: string | undefined;
};

/** Saves a payment method for later charges. Equal cards have equal fingerprints. */
export function saveMethod(
  world: World,
  method: Method,
  { customer, email, name, country }: Holder,
): SavedMethod {
  const saved = world.ledger.put("methods", {
    id: world.ids.next("pm_1"),
    object: "payment_method",
    billing_details: {
      address: country === undefined ? null : addressIn(country),
      email,
      name,
      phone: null,
      tax_id: null,
    },
    created: seconds(world),
    customer,
    livemode: world.live,
    metadata: {},
    type: method.type === "card" ? "card" : debitType(method.type),
    ...detailsOf(method),
  });
  if (method.action?.type === "verify_with_microdeposits")
    world.ledger.put("moods", { id: saved.id, mood: "verifies" });
  emit(world, "payment_method.attached", saved);
  return saved;
}

export const addressIn = (country: string) => ({
  city: null,
  country,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
});

/** Saves a payment method as its customer's default. Subscriptions with a card of their own keep it. */
export function saveDefault(
  world: World,
  customer: Customer,
  method: Method,
  name: string | null,
): SavedMethod {
  const saved = saveMethod(world, method, { customer: customer.id, email: customer.email, name });
  const invoice_settings = { ...customer.invoice_settings, default_payment_method: saved.id };
  changeCustomer(world, customer, { invoice_settings });
  return saved;
}

const debitType = (type: string) =>
  type === "sepa_debit" || type === "boleto" ? type : ("us_bank_account" as const);

function detailsOf({ type, details: { card } }: Method): Partial<SavedMethod> {
  if (card) {
    const { brand, fingerprint, last4 } = card;
    return {
      card: {
        brand: brand ?? "visa",
        country: "US",
        exp_month: 12,
        exp_year: 2034,
        fingerprint: fingerprint ?? null,
        funding: "credit",
        last4: last4 ?? "",
      },
    };
  }
  const last4 = "6789";
  const fingerprint = word(`${type}:${last4}`, 16);
  if (type === "boleto") return { boleto: { tax_id: "00000000000" } };
  if (type === "sepa_debit") return { sepa_debit: { country: "DE", fingerprint, last4 } };
  return { us_bank_account: { bank_name: "STRIPE TEST BANK", fingerprint, last4 } };
}

/** The methods of a customer, newest first. */
export const methodsOf = (world: World, customer: string): SavedMethod[] =>
  world.ledger.methods.group(customer).toReversed();

/** The details that a charge shows of a saved method. */
export function chargeDetails({ type, card, us_bank_account, sepa_debit }: SavedMethod): Method["details"] {
  if (card) {
    const { brand, country, exp_month, exp_year, fingerprint, funding, last4 } = card;
    return {
      type,
      card: { brand, country, exp_month, exp_year, fingerprint, funding, last4 },
    };
  }
  const { last4, fingerprint } = us_bank_account ?? sepa_debit ?? {};
  return { type, [type]: { last4, fingerprint } };
}

/** What a bank answers to a charge. */
export type BankSays = "pays" | "processes" | "asks" | LaterWay | Decline;

const moods: Record<BankBehaviour["mood"], BankSays> = {
  works: "pays",
  asks: "asks",
  declines: declines.generic_decline,
  no_funds: declines.insufficient_funds,
  verifies: "deposits",
};

/** https://docs.stripe.com/testing: cards that are saved without trouble, and then fail or ask each time. */
const byNumber = new Map<string, BankSays>([
  ["0341", declines.generic_decline],
  ["0002", declines.generic_decline],
  ["9995", declines.insufficient_funds],
  ["3184", "asks"],
]);

export function bankSays(world: World, method: SavedMethod): BankSays {
  const mood = world.ledger.moods.get(method.id)?.mood;
  if (mood !== undefined && mood !== "works") return moods[mood];
  if (method.type === "boleto") return "voucher";
  if (method.type !== "card") return "processes";
  return mood === undefined ? saysOf(method.type, method.card?.last4) : "pays";
}

/** What the bank says to a method by its number. */
export const saysOf = (type: string, last4: string | null | undefined): BankSays =>
  type === "card" ? (byNumber.get(last4 ?? "") ?? "pays") : "processes";
