import { money } from "@/contract/money";
import { inWords } from "../format";

type Details = Readonly<Record<string, unknown>>;

/** Details that are money in minor units. */
const sums = new Set(["amount", "refunded"]);

/**
 * An entry's details in a line: `Amount USD 5.00, Days 30`.
 * @param currency of what the entry is about, where that is known
 */
export const detailsText = (details: Details | null, currency?: string): string =>
  Object.entries(details ?? {})
    .map(([name, value]) => [
      inWords(name),
      valueText(value, sums.has(name), currencyOf(details) ?? currency),
    ])
    .filter(([, text]) => text !== "")
    .map(([name, text]) => `${name} ${text}`)
    .join(", ");

function valueText(value: unknown, isSum: boolean, currency: string | undefined): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((one) => valueText(one, isSum, currency)).join(", ");
  if (isDetails(value)) {
    const text = detailsText(value, currency);
    return text && `(${text})`;
  }
  if (isSum && typeof value === "number") return sumText(value, currency);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The log's own entries seldom say the currency; without it a sum is only a number of its smallest unit. */
const sumText = (minor: number, currency: string | undefined): string =>
  currency === undefined ? `${minor} in minor units` : money(minor, currency);

const isDetails = (value: unknown): value is Details => typeof value === "object" && value !== null;

const currencyOf = (details: Details | null): string | undefined =>
  typeof details?.["currency"] === "string" ? details["currency"] : undefined;
