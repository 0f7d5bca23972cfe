import { maxPrice } from "./bounds";
import { decimalsOf, money } from "./money";

/** In minor units. https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const least: Readonly<Record<string, number>> = Object.fromEntries(
  `USD 50 AUD 50 BRL 50 CAD 50 CHF 50 EUR 50 INR 50 NZD 50 SGD 50 JPY 50 GBP 30 AED 200 BGN 100 CZK 1500 DKK 250
    HKD 400 HUF 17500 MXN 1000 MYR 200 NOK 300 PLN 200 RON 200 SEK 300 THB 1000`
    .split(/(?<=\d)\s+/)
    .map((one) => [one.slice(0, 3), Number(one.slice(4))]),
);

/** The least that Stripe takes for an order, in minor units. */
export const minPrice = (currency: string): number => least[currency.toUpperCase()] ?? 1;

/** Written with two decimals, which must be zeros. https://docs.stripe.com/currencies#special-cases */
const whole: readonly string[] = ["ISK", "UGX"];

/** Why an amount in minor units can't be paid, as a sentence; null if it can. */
export function amountFault(amount: number, currency: string): string | null {
  const name = currency.toUpperCase();
  const amounts = `${money(amount, currency)} can't be paid: amounts in ${name}`;
  if (whole.includes(name) && amount % 100 !== 0) return `${amounts} must be whole.`;
  // https://docs.stripe.com/currencies#three-decimal
  return decimalsOf(currency) === 3 && amount % 10 !== 0 ? `${amounts} must end with a zero.` : null;
}

/** The same of a price, which must be neither too little nor too much. */
export function priceFault(amount: number, currency: string): string | null {
  const lowest = minPrice(currency);
  const price = money(amount, currency);
  if (amount < lowest) return `${price} is too little: Stripe takes no less than ${money(lowest, currency)}.`;
  if (amount > maxPrice)
    return `${price} is too much: Stripe takes no more than ${money(maxPrice, currency)}.`;
  return amountFault(amount, currency);
}
