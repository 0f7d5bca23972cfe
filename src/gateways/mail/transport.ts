import type { SMTPTransportOptions } from "nodemailer";

/**
 * Connection options for the server in the URL. A login is sent to another machine only over TLS, even if the
 * server, or somebody in between, does not offer it; `?requireTLS=false` in the URL lifts that for a trusted
 * network. Letters can't load files or URLs.
 */
export function transportOptions(smtpUrl: string): SMTPTransportOptions {
  const { username, hostname } = new URL(smtpUrl);
  return {
    requireTLS: username !== "" && !isLoopback(hostname),
    disableFileAccess: true,
    disableUrlAccess: true,
    // Last, because nodemailer lets it override the options above.
    url: smtpUrl,
  };
}

function isLoopback(hostname: string) {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}
