/** What the headers of a response depend on. */
export type HeaderOptions = {
  /** Whether PUBLIC_URL is https: adds HSTS and upgrade-insecure-requests. */
  https: boolean;
  /** Whether the response belongs to `/api`: nothing there may be stored. */
  api?: boolean;
  /** The nonce that the page carries; a response without a page gets a fresh one that nobody knows. */
  nonce?: string;
};

/** 128 random bits, 22 characters; a new one for every response. */
export function freshNonce(): string {
  return crypto.getRandomValues(new Uint8Array(16)).toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The headers that every response of the shop carries, those of errors and redirects included. */
export function secureHeaders(options: HeaderOptions): Record<string, string> {
  return {
    "content-security-policy": policy(options),
    ...(options.https ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
    ...(options.api ? { "cache-control": "no-store" } : {}),
    ...constant,
  };
}

/**
 * Puts the headers onto a response that another room made, in place: a file as its body stays one, and is
 * sent by the kernel rather than read through this process.
 */
export function withSecureHeaders(response: Response, options: HeaderOptions): Response {
  for (const [name, value] of Object.entries(secureHeaders(options))) response.headers.set(name, value);
  return response;
}

const constant = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // Features that Chromium knows; an unknown name would be an error in its console.
  "permissions-policy": [
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
  ]
    .map((feature) => `${feature}=()`)
    .join(", "),
  "x-frame-options": "DENY",
};

function policy({ https, nonce = freshNonce() }: HeaderOptions) {
  return policyStart + nonce + (https ? policyEnd + "; upgrade-insecure-requests" : policyEnd);
}

/** Scripts come from the shop's own files alone; pages say it themselves too (`shell.ts`). */
export const scriptPolicy = "script-src 'self'";
const policyStart = `default-src 'none'; ${scriptPolicy}; style-src 'self' 'nonce-`;
const policyEnd = [
  "'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join("; ");
