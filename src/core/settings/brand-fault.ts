import { brand } from "@/brand/brand";
import { isPayable, minorUnits, money, rightAmounts } from "@/contract/vocabulary/money";
import { leastPrice, mostPrice } from "@/contract/vocabulary/bounds";

/** Why a shop with this brand could not sell in that currency; null if it could. */
export const brandFault = (currency: string): string | null =>
  prefixFault(brand.keyPrefix) ?? priceFault(brand.offer.amount, currency);

/** What is wrong with the first group of keys; null if nothing. A key with another group could not be read. */
function prefixFault(prefix: string): string | null {
  if (/^[A-Za-z0-9]{1,16}$/.test(prefix)) return null;
  return `The keyPrefix in src/brand/brand.ts is "${prefix}": it must be 1 to 16 letters and digits, without dashes or blanks.`;
}

/** Why Stripe would refuse the brand's price at every checkout; null if it would not. */
function priceFault(amount: number, currency: string): string | null {
  const lowest = leastPrice(currency);
  const uneven = rightAmounts(currency);
  if (Number.isInteger(amount) && amount >= lowest && amount <= mostPrice) {
    if (isPayable(amount, currency)) return null;
    return `The setting CURRENCY is ${currency}, in which amounts ${uneven?.words}: change the offer's amount in src/brand/brand.ts.`;
  }
  const isWhole = Number.isInteger(amount);
  const costs = isWhole ? `costs ${money(amount, currency)}` : `has the amount ${amount}`;
  const takes = `Stripe takes no less than ${money(lowest, currency)}`;
  // what somebody meant who wrote 29.00
  const meant = minorUnits(String(amount), currency);
  const hint = meant === null ? "" : `: write ${meant} for ${money(meant, currency)}`;
  return `The offer in src/brand/brand.ts ${costs}, and ${takes}. Its amount is in minor units${hint}.`;
}
