/** `other_mode` → `Other mode`. */
export function inWords(name: string): string {
  const words = name.replaceAll(/[_.-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `1 licence`, `1,234 licences`, `1,000+ licences`. */
export const counted = (count: number, one: string, more = `${one}s`, suffix = ""): string =>
  `${count.toLocaleString("en-US")}${suffix} ${count === 1 && suffix === "" ? one : more}`;
