/**
 * Currencies whose minor units at Stripe don't have two decimals.
 * https://docs.stripe.com/currencies#zero-decimal (UGX and ISK are sent with two)
 */
const digits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD JOD KWD OMR TND".split(" ").map((code) => [code, 3])),
};

/** `USD 5.00` or `JPY 500`, from minor units. */
export function money(minor: number, currency: string): string {
  const code = currency.toUpperCase();
  const places = digits[code] ?? 2;
  return `${code} ${(minor / 10 ** places).toFixed(places)}`;
}
