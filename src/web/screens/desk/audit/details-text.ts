import { money } from "@/contract/vocabulary/money";
import { withSpaces } from "../parts/format";

type Details = Readonly<Record<string, unknown>>;

/** Details that are money in minor units. */
const sums = new Set(["amount", "refunded"]);
/** Details that are names of ours, such as `needs_response`. */
const names = new Set(["cause", "dispute", "state", "when"]);

/**
 * An entry's details in a line: `Amount USD 5.00, Days 30`, `Refunded USD 2.50, was succeeded`.
 * @param currency of what the entry is about, where that is known
 */
export function detailsText(details: Details | null, currency?: string): string {
  const { before, after, ...facts } = details ?? {};
  const known = currencyOf(details) ?? currency;
  const line = [
    ...Object.entries(facts).map((fact) => factText(fact, known)),
    ...changes(before, after, known),
  ]
    .filter((text) => text !== "")
    .join(", ");
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** `Days 30`; empty without a value, and of what was not refunded. */
function factText([name, value]: [string, unknown], currency: string | undefined): string {
  const text = name === "refunded" && value === 0 ? "" : valueText(name, value, currency);
  return text && `${withSpaces(name)} ${text}`;
}

/** What something was before, if the entry itself says what it became; else what changed. */
function changes(before: unknown, after: unknown, currency: string | undefined): string[] {
  if (after === undefined) return before ? [wasText(before, currency)] : [];
  if (!isDetails(before) || !isDetails(after)) {
    const [from, to] = [before, after].map((value) => valueText("", value, currency) || "none");
    return [`from ${from} to ${to}`];
  }
  const known = currencyOf(after) ?? currency;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((name) => {
    const [from, to] = [before, after].map((terms) => valueText(name, terms[name], known) || "none");
    return from === to ? [] : [`${withSpaces(name)} from ${from} to ${to}`];
  });
}

/** `was succeeded (Refunded USD 2.00)` */
function wasText(before: unknown, currency: string | undefined): string {
  const { state, ...rest } = isDetails(before) ? before : { state: before };
  const more = detailsText(rest, currency);
  const was = valueText("state", state, currency);
  return was && `was ${was}${more && ` (${more})`}`;
}

function valueText(name: string, value: unknown, currency: string | undefined): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((one) => valueText(name, one, currency)).join(", ");
  if (isDetails(value)) {
    const text = detailsText(value, currency);
    return text && `(${text})`;
  }
  if (sums.has(name) && typeof value === "number") return sumText(value, currency);
  if (typeof value !== "string") return JSON.stringify(value);
  return names.has(name) ? value.replaceAll("_", " ") : value;
}

/** The log's own entries seldom say the currency; without it a sum is only a number of its smallest unit. */
const sumText = (minor: number, currency: string | undefined): string =>
  currency === undefined ? `${minor} in minor units` : money(minor, currency);

const isDetails = (value: unknown): value is Details => typeof value === "object" && value !== null;

const currencyOf = (details: Details | null): string | undefined =>
  typeof details?.["currency"] === "string" ? details["currency"] : undefined;
