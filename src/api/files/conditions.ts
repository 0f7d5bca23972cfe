/** What distinguishes one version of a file from another. */
export type Validators = { etag: string; lastModified: Date };

export type Condition = "proceed" | "not_modified" | "precondition_failed";

/**
 * Evaluates the conditions of a GET or HEAD in the order of RFC 9110 §13.2.2. Compares dates for equality, like nginx:
 * after a release is withdrawn the current file is an older one, and "not newer than" would keep the withdrawn copy in
 * caches.
 */
export function judgeConditions(headers: Headers, { etag, lastModified }: Validators): Condition {
  const ifMatch = headers.get("if-match");
  const unmodifiedSince = headers.get("if-unmodified-since");
  if (ifMatch !== null) {
    if (!lists(ifMatch, etag, "strong")) return "precondition_failed";
  } else if (unmodifiedSince !== null && isDate(unmodifiedSince)) {
    if (!isSame(unmodifiedSince, lastModified)) return "precondition_failed";
  }
  const noneMatch = headers.get("if-none-match");
  if (noneMatch !== null) return lists(noneMatch, etag, "weak") ? "not_modified" : "proceed";
  const modifiedSince = headers.get("if-modified-since");
  return modifiedSince !== null && isSame(modifiedSince, lastModified) ? "not_modified" : "proceed";
}

/** Whether to honour `Range`: only if `If-Range` still matches the current file (§13.1.5). */
export function rangeHolds(headers: Headers, { etag, lastModified }: Validators): boolean {
  const ifRange = headers.get("if-range")?.trim();
  if (ifRange === undefined) return true;
  // a weak validator never matches here
  return ifRange.startsWith('"') ? ifRange === etag : isSame(ifRange, lastModified);
}

/** HTTP dates have whole seconds. */
export const httpDate = (date: Date) => date.toUTCString();

const isDate = (text: string) => !Number.isNaN(Date.parse(text));
const isSame = (text: string, date: Date) => Date.parse(text) === Date.parse(httpDate(date));

function lists(header: string, etag: string, comparison: "strong" | "weak"): boolean {
  if (header.trim() === "*") return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (comparison === "weak" ? tag.replace(/^W\//, "") : tag) === etag);
}
