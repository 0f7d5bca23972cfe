/** What an application's request says about its computer. */
export type OfflineRequest = { text: string; label: string; os: string };

/** Far longer than any request, so that a wrong file is not read whole. */
export const maxRequestBytes = 8_192;

/** The request in a pasted text or a file; null if it is none. The server checks the rest. */
export function requestIn(typed: string): OfflineRequest | null {
  const text = typed.replaceAll(/\s/g, "").replace(/=+$/, "");
  if (text === "" || text.length > maxRequestBytes || !/^[\w-]+$/.test(text)) return null;
  try {
    const said: unknown = JSON.parse(textOf(text));
    const [label, os, hash] = ["label", "os", "hwid_hash"].map((name) => fieldOf(said, name));
    return label && os && hash ? { text, label, os } : null;
  } catch {
    return null;
  }
}

/** Until when a license file says that it is valid; null if it can't be read. Only for display. */
export function endOf(file: string): Date | null {
  try {
    const token = file.replaceAll(/-----[^-]+-----|\s/g, "");
    const said: unknown = JSON.parse(textOf(token.split(".")[1] ?? ""));
    const exp: unknown = typeof said === "object" && said !== null ? Reflect.get(said, "exp") : null;
    return typeof exp === "number" ? new Date(exp * 1_000) : null;
  } catch {
    return null;
  }
}

/** The UTF-8 text that a base64url text holds. */
function textOf(base64url: string): string {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.codePointAt(0) ?? 0);
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function fieldOf(said: unknown, name: string): string {
  const value: unknown = typeof said === "object" && said !== null ? Reflect.get(said, name) : "";
  return typeof value === "string" ? value : "";
}
