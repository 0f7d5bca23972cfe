import { Explained } from "@/core/log/log";

/** Why the mail server can't be used, in our own words; null if `causes` doesn't list the failure. */
export function mailFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const text = `${"code" in error ? String(error.code) : ""} ${error.message}`;
  return causes.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The failure with a cause that is safe to log; the server's own message may repeat the login. */
export function explainError(error: unknown): unknown {
  const sentence = mailFailure(error);
  return sentence === null ? error : new Explained(sentence, { cause: error });
}

const trust =
  "have NODE_EXTRA_CA_CERTS name a file with its authority, or add ?tls.rejectUnauthorized=false to SMTP_URL";

/** Matches nodemailer's codes and the TLS library's messages, which nodemailer passes on without their codes. */
const causes: [pattern: RegExp, sentence: string][] = [
  [/self[- ]signed certificate/i, `its certificate is signed by itself: ${trust}`],
  [/certificate has expired|not yet valid/i, "its certificate has expired, or this machine's clock is wrong"],
  [
    /altnames|IP does not match/i,
    "its certificate has another name: write that name in SMTP_URL, or add ?tls.servername=NAME to it",
  ],
  [
    /unable to (get|verify)|certificate (signature|chain)|untrusted/i,
    `its certificate is from an unknown authority: ${trust}`,
  ],
  [
    /WRONG_VERSION_NUMBER|wrong version number/,
    "it speaks no TLS on that port: SMTP_URL must begin with smtp://",
  ],
  [
    /^ETLS .*STARTTLS/s,
    "it offers no TLS, and a login is not sent without: in a trusted network, add ?requireTLS=false to SMTP_URL",
  ],
  [/EAUTH/, "it refuses the login in SMTP_URL"],
  [
    /Greeting never received/,
    "it sends no greeting: if the port expects TLS, SMTP_URL must begin with smtps://",
  ],
  [/EDNS|ENOTFOUND|EAI_AGAIN|no answer in time/, "its name in SMTP_URL is not found"],
  [/ECONNREFUSED/, "nothing listens at the address and port in SMTP_URL"],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, "it does not answer"],
];
