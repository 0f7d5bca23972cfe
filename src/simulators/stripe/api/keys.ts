import { StripeRefusal } from "./errors";

/** Checks `Authorization: Bearer sk_…` and answers the key. */
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
  return scheme?.toLowerCase() === "bearer" ? value : undefined;
}

function masked(key: string): string {
  return key.length <= 12 ? "*".repeat(key.length) : `${key.slice(0, 8)}****${key.slice(-4)}`;
}

function refuse(message: string) {
  return new StripeRefusal(401, { type: "invalid_request_error", message });
}

/** The resource behind each path, whose permission a restricted key needs: https://docs.stripe.com/keys/restricted-api-keys */
const resources: [path: string, resource: string][] = [
  ["/v1/checkout/sessions", "checkout_session"],
  ["/v1/payment_intents", "payment_intent"],
  ["/v1/charges", "charge"],
  ["/v1/refunds", "charge"],
  ["/v1/disputes", "dispute"],
  ["/v1/radar/early_fraud_warnings", "early_fraud_warning"],
  ["/v1/events", "event"],
  ["/v1/promotion_codes", "promotion_code"],
  ["/v1/coupons", "coupon"],
  ["/v1/invoices", "invoice"],
];

/** Expanded objects need their own permission. */
const expanded: [name: string, resource: string][] = [
  ["payment_intent", "payment_intent"],
  ["latest_charge", "charge"],
  ["invoice", "invoice"],
];

type Asked = { method: string; path: string; body: string };

/** Refuses as Stripe does when the key lacks a permission; a key that may not read may not write either. */
export function checkPermissions(keys: ReadonlyMap<string, string[]>, key: string, asked: Asked): void {
  const lacks = keys.get(key) ?? [];
  for (const [resource, right] of neededFor(asked)) {
    const lacking = [`${resource}_read`, `${resource}_${right}`].some((name) => lacks.includes(name));
    if (lacking) throw forbidden(key, `rak_${resource}_${right}`);
  }
}

function neededFor({ method, path, body }: Asked): [resource: string, right: "read" | "write"][] {
  const own = resources.find(([prefix]) => path.startsWith(prefix))?.[1];
  const names = [...new URLSearchParams(body)]
    .filter(([name]) => name.startsWith("expand["))
    .flatMap(([, value]) => value.split("."));
  return [
    ...(own ? [[own, method === "POST" ? "write" : "read"] as const] : []),
    ...expanded
      .filter(([name]) => names.includes(name))
      .map(([, resource]): [string, "read"] => [resource, "read"]),
  ].map(([resource, right]) => [resource, right]);
}

function forbidden(key: string, permission: string): StripeRefusal {
  const message = `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account 'acct_1DemoShop'. Having the '${permission}' permission would allow this request to continue.`;
  return new StripeRefusal(403, { type: "invalid_request_error", message });
}
