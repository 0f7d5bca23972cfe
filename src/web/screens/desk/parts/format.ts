/** `other_mode` → `Other mode`. Names are British, what people read is American: `licence.added` → `License added`. */
export function withSpaces(name: string): string {
  const words = name
    .replaceAll(/[_.-]/g, " ")
    .replaceAll(/licence/gi, "license")
    .replaceAll("cancelled", "canceled");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1 license`, `1,234 licenses`, `1,000+ licenses`. */
export const counted = (count: number, one: string, more = `${one}s`, suffix = ""): string =>
  `${count.toLocaleString("en-US")}${suffix} ${count === 1 && suffix === "" ? one : more}`;
