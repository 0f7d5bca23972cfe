/** The most keys in one order. */
export const mostOfOne = 100;

/** The longest sender's name and message of a gift, in characters. */
export const giftLimits = { from: 40, message: 500 };

/** The longest text of one message. */
export const mostTyped = 4_000;
/** The largest file, in bytes. */
export const mostFileBytes = 8 * 1024 * 1024;
/** How many open tickets a customer may have, whatever their topics. */
export const mostOpenTickets = 3;

/** In minor units. https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const least: Readonly<Record<string, number>> = Object.fromEntries(
  `USD 50 AUD 50 BRL 50 CAD 50 CHF 50 EUR 50 INR 50 NZD 50 SGD 50 JPY 50 GBP 30 AED 200 BGN 100 CZK 1500 DKK 250
    HKD 400 HUF 17500 MXN 1000 MYR 200 NOK 300 PLN 200 RON 200 SEK 300 THB 1000`
    .split(/(?<=\d)\s+/)
    .map((one) => [one.slice(0, 3), Number(one.slice(4))]),
);

/** The least that Stripe takes for an order, in minor units. */
export const leastPrice = (currency: string): number => least[currency.toUpperCase()] ?? 1;
/** The most, in any currency. */
export const mostPrice = 99_999_999;
