import { StripeRefusal } from "./errors";

/** Checks `Authorization: Bearer sk_…`, or the same key as the user name of Basic; answers the key. */
export function checkKey(header: string | undefined, keys: ReadonlyMap<string, unknown>): string {
  const key = keyIn(header);
  if (key === undefined) throw refuse(missingKey);
  if (!keys.has(key)) throw refuse(`Invalid API Key provided: ${masked(key)}`);
  return key;
}

const missingKey =
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";

function keyIn(header: string | undefined): string | undefined {
  const [scheme, value] = header?.split(" ") ?? [];
  if (scheme?.toLowerCase() === "bearer") return value;
  if (scheme?.toLowerCase() === "basic" && value) return atobOrEmpty(value).split(":")[0];
  return undefined;
}

function atobOrEmpty(value: string): string {
  return Buffer.from(value, "base64").toString("latin1");
}

export function masked(key: string): string {
  return key.length <= 12 ? "*".repeat(key.length) : `${key.slice(0, 8)}****${key.slice(-4)}`;
}

function refuse(message: string) {
  return new StripeRefusal(401, { type: "invalid_request_error", message });
}
