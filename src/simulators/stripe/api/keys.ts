import { StripeRefusal } from "./errors";

/** Checks `Authorization: Bearer sk_…` and returns the key. */
export function checkKey(header: string | undefined, keys: ReadonlyMap<string, unknown>): string {
  const [scheme, key] = header?.split(" ") ?? [];
  if (key === undefined || scheme?.toLowerCase() !== "bearer") throw refuse(missingKey);
  if (!keys.has(key)) throw refuse(`Invalid API Key provided: ${maskKey(key)}`);
  return key;
}

const missingKey =
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').";

function maskKey(key: string): string {
  return key.length <= 12 ? "*".repeat(key.length) : `${key.slice(0, 8)}****${key.slice(-4)}`;
}

function refuse(message: string) {
  return new StripeRefusal(401, { type: "invalid_request_error", message });
}

/** Expanded objects that need their own permission. */
const expanded: [name: string, resource: string][] = [
  ["payment_intent", "payment_intent"],
  ["latest_charge", "charge"],
  ["invoice", "invoice"],
  ["latest_invoice", "invoice"],
  ["payments", "invoice"],
  ["coupon", "coupon"],
  ["customer", "customer"],
  ["default_payment_method", "payment_method"],
  ["subscription", "subscription"],
  ["product", "product"],
];

type Right = [resource: string, right: "read" | "write"];
type KeyedRequest = { method: string; resource: string; body: string };

/** Refuses like Stripe if the key lacks a permission; a key without read permission can't write either. */
export function checkPermissions(lacks: readonly string[], key: string, asked: KeyedRequest): void {
  for (const [resource, right] of neededFor(asked)) {
    const lacking = [`${resource}_read`, `${resource}_${right}`].some((name) => lacks.includes(name));
    if (lacking) throw forbidden(key, `rak_${resource}_${right}`);
  }
}

function neededFor({ method, resource, body }: KeyedRequest): Right[] {
  const names = [...new URLSearchParams(body)]
    .filter(([name]) => name.startsWith("expand["))
    .flatMap(([, value]) => value.split("."));
  const more = expanded.filter(([name]) => names.includes(name));
  return [
    [resource, method === "GET" ? "read" : "write"],
    ...more.map(([, needed]): Right => [needed, "read"]),
  ];
}

function forbidden(key: string, permission: string): StripeRefusal {
  const message = `The provided key '${maskKey(key)}' does not have the required permissions for this endpoint on account 'acct_1DemoShop'. Having the '${permission}' permission would allow this request to continue.`;
  return new StripeRefusal(403, { type: "invalid_request_error", message });
}
