/**
 * Currencies whose minor units at Stripe don't have two decimals. https://docs.stripe.com/currencies#zero-decimal
 * (Stripe takes UGX and ISK with two)
 */
const digits: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ),
  ...Object.fromEntries("BHD JOD KWD OMR TND".split(" ").map((code) => [code, 3])),
};

/** The number of decimals in a currency's minor units. */
export const decimalsOf = (currency: string): number => digits[currency.toUpperCase()] ?? 2;

/** `USD 5.00`, `USD 1,234.50` or `JPY 500`, from minor units. */
export function money(minor: number, currency: string): string {
  const places = decimalsOf(currency);
  const amount = (minor / 10 ** places).toLocaleString("en-US", {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return `${currency.toUpperCase()} ${amount}`;
}

/** The same with the minus in front, as bills show it: `−USD 5.00`. */
export const signedMoney = (minor: number, currency: string): string =>
  `${minor < 0 ? "−" : ""}${money(Math.abs(minor), currency)}`;

/** `5.00` or `500`, from minor units, for programs. */
export function decimalText(minor: number, currency: string): string {
  const places = decimalsOf(currency);
  return (minor / 10 ** places).toFixed(places);
}

/** `$5` or `$2.50`, as prices are written wherever something is sold. */
export const priceText = (minor: number, currency: string): string =>
  chargeText(minor, currency, Number.isInteger(minor / 10 ** decimalsOf(currency)) ? 0 : undefined);

/** `$5.00`, as sentences about a charge write it. */
export function chargeText(minor: number, currency: string, least = decimalsOf(currency)): string {
  const places = decimalsOf(currency);
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: least,
    maximumFractionDigits: places,
  }).format(minor / 10 ** places);
}

/**
 * Minor units from a typed amount such as `5`, `4.99` or `4,99`; null if that is no amount of the currency, or could be
 * two, as `1,000` where the currency has three decimals.
 */
export function minorUnits(typed: string, currency: string): number | null {
  const places = decimalsOf(currency);
  const [, whole = "", fraction = ""] = /^(\d{1,9})(?:(?!,\d{3})[.,](\d{1,3}))?$/.exec(typed.trim()) ?? [];
  if (whole === "" || fraction.length > places) return null;
  const minor = Number(whole + fraction.padEnd(places, "0"));
  return minor > 0 ? minor : null;
}
