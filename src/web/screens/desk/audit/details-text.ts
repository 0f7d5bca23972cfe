import { inWords } from "../format";

/** An entry's details in a line: `Amount 500, Days 30`. */
export const detailsText = (details: Readonly<Record<string, unknown>> | null): string =>
  Object.entries(details ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${inWords(name)} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
