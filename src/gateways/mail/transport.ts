import type { SMTPTransportOptions } from "nodemailer";

/**
 * How to reach the server that the URL names. A login goes to another machine only over TLS,
 * even if the server, or somebody on the way, does not offer it; `?requireTLS=false` in the URL
 * says otherwise for a network one trusts. Letters never reach for files or addresses.
 */
export function transportOptions(smtpUrl: string): SMTPTransportOptions {
  const { username, hostname } = new URL(smtpUrl);
  return {
    requireTLS: username !== "" && !isLoopback(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
    // Last, as nodemailer reads it over what stands above.
    url: smtpUrl,
  };
}

function isLoopback(hostname: string) {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
