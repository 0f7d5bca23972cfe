import type { Hsts } from "@/core/settings/config";
import type { Inlined } from "./manifest";

/** The HSTS policy where PUBLIC_URL is https, which also adds upgrade-insecure-requests; otherwise `http`. */
export type Transport = Hsts | "http";

export const transportOf = ({ publicUrl, hsts }: { publicUrl: URL; hsts: Hsts }): Transport =>
  publicUrl.protocol === "https:" ? hsts : "http";

export type HeaderOptions = {
  transport: Transport;
  /** Whether the response is from `/api`, whose answers nobody may store, unless their address has their hash. */
  api?: boolean;
};

/**
 * The headers of every response, including errors and redirects.
 * @param inlined what the page at `path` may carry itself
 */
export function secureHeaders(
  transport: Transport,
  inlined?: Inlined,
  path = "",
): Readonly<Record<string, string>> {
  const fields = over[transport];
  if (inlined === undefined) return fields;
  const { style, script, ofPage } = inlined;
  const scripts = [script, ofPage[path]].filter((hash) => hash !== undefined);
  const policy = (fields[policyName] ?? "")
    .replace("script-src 'self'", ["script-src 'self'", ...scripts.map(quoted)].join(" "))
    .replace("style-src 'self'", `style-src 'self' ${quoted(style)}`);
  return { ...fields, [policyName]: policy };
}

/**
 * Adds the headers to a response in place, so that a file as its body stays a file, which the kernel sends without
 * copying it into this process.
 */
export function withSecureHeaders(response: Response, { transport, api }: HeaderOptions): Response {
  for (const [name, value] of fieldsOver[transport]) response.headers.set(name, value);
  if (api && !response.headers.get("cache-control")?.endsWith("immutable"))
    response.headers.set("cache-control", "no-store");
  return response;
}

const quoted = (hash: string) => `'sha256-${hash}'`;

const policyName = "content-security-policy";
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join("; ");

// Only features that Chromium knows; it reports an unknown name as an error in its console.
const refusedFeatures = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "hid",
  "identity-credentials-get",
  "idle-detection",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];

const overHttp: Readonly<Record<string, string>> = {
  [policyName]: policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": refusedFeatures.map((feature) => `${feature}=()`).join(", "),
  "x-frame-options": "DENY",
};

/** Two years. A browser forgets a policy whose age is 0: RFC 6797, 6.1.1. */
const overHttps = (hsts: string): Readonly<Record<string, string>> => ({
  ...overHttp,
  [policyName]: `${policy}; upgrade-insecure-requests`,
  "strict-transport-security": hsts,
});

const over: Record<Transport, Readonly<Record<string, string>>> = {
  http: overHttp,
  subdomains: overHttps("max-age=63072000; includeSubDomains"),
  host: overHttps("max-age=63072000"),
  off: overHttps("max-age=0"),
};

const fieldsOver: Record<Transport, [string, string][]> = {
  http: Object.entries(over.http),
  subdomains: Object.entries(over.subdomains),
  host: Object.entries(over.host),
  off: Object.entries(over.off),
};
