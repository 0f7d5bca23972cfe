export type HeaderOptions = {
  /** Whether PUBLIC_URL is https: adds HSTS and upgrade-insecure-requests. */
  https: boolean;
  /** Whether the response belongs to `/api`: nothing there may be stored. */
  api?: boolean;
};

/**
 * The headers of every response, including errors and redirects.
 * @param styleHash SHA-256 (base64) of a style sheet that the page may carry itself
 */
export function secureHeaders(https: boolean, styleHash?: string): Readonly<Record<string, string>> {
  const fields = https ? overHttps : overHttp;
  if (styleHash === undefined) return fields;
  const allowed = `style-src 'self' 'sha256-${styleHash}'`;
  return { ...fields, [policyName]: (fields[policyName] ?? "").replace("style-src 'self'", allowed) };
}

/**
 * Adds the headers to a response in place: a file as its body stays a file, which the kernel sends without reading it
 * into this process.
 */
export function withSecureHeaders(response: Response, { https, api }: HeaderOptions): Response {
  for (const [name, value] of https ? httpsFields : httpFields) response.headers.set(name, value);
  if (api) response.headers.set("cache-control", "no-store");
  return response;
}

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

// Features that Chromium knows; it reports an unknown name as an error in its console.
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

const overHttps: Readonly<Record<string, string>> = {
  ...overHttp,
  [policyName]: `${policy}; upgrade-insecure-requests`,
  "strict-transport-security": "max-age=63072000; includeSubDomains",
};

const httpFields = Object.entries(overHttp);
const httpsFields = Object.entries(overHttps);
