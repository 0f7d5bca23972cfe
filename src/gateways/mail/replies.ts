/** What a mail server answered to an attempt. */
export type Reply = {
  /** RFC 5321 §4.2.1. */
  code: number;
  /** RFC 3463, such as `5.1.1`; null if the server gave none. */
  enhanced: string | null;
  /** What it answered: RCPT TO, the message, or something before them. */
  to: "recipient" | "message" | "before";
  /** Its first words after the codes, without addresses. */
  words: string;
};

/** The reply that ended an attempt; null if there was none, or if the server only closed the connection (421). */
export function replyOf(error: unknown): Reply | null {
  const reply = replyTo(error);
  return reply?.code === 421 ? null : reply;
}

/** The same, also of a server that closes the connection. */
export function replyTo(error: unknown): Reply | null {
  if (!(error instanceof Error) || !("responseCode" in error)) return null;
  const code = Number(error.responseCode);
  if (!(code >= 400 && code < 600)) return null;
  const command = "command" in error ? String(error.command) : "";
  const lines = ("response" in error ? String(error.response) : "").split(/[\r\n]+/);
  const [, enhanced = null] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(lines[0] ?? "") ?? [];
  return { code, enhanced, to: answered[command] ?? "before", words: firstWords(lines) };
}

const answered: Partial<Record<string, Reply["to"]>> = { "RCPT TO": "recipient", DATA: "message" };

/**
 * What a reply is about. `recipient`: this mailbox takes no mail, by an enhanced code. `likely-recipient`: the same by
 * the code alone, which servers also use to refuse everybody. `set-up`: any other refusal; where it came doesn't say
 * what it is about, since Postfix checks the sender with the recipient. `later`: try this email again.
 */
export function verdictOn({
  code,
  enhanced,
  to,
}: Reply): "recipient" | "likely-recipient" | "set-up" | "later" {
  if (code < 500) return "later";
  if (to === "before") return "set-up";
  if (enhanced !== null) return aboutMailbox.test(enhanced) ? "recipient" : "set-up";
  return to === "recipient" && [550, 551, 553].includes(code) ? "likely-recipient" : "set-up";
}

/** RFC 3463 §3.2 and §3.3, RFC 7505 §4.1; 5.1.7 to 5.1.9 are about the sender. */
const aboutMailbox = /^5\.(1\.([0-6]|10)|2\.\d+)$/;

/** A reply as people read it, without the login, which a server may repeat. */
export function shownReply({ code, enhanced, words }: Reply, login: string[]): string {
  const sentence = [code, enhanced, words].filter(Boolean).join(" ");
  return login.reduce((text, secret) => text.replaceAll(secret, "…"), sentence);
}

/** The login in SMTP_URL, as it is sent. */
export function loginIn(smtpUrl: string): string[] {
  const { username, password } = new URL(smtpUrl);
  return [username, password].map(decodeURIComponent).filter((text) => text !== "");
}

const mostWords = 120;

/** Without the codes of each line, and without what may be an address or something secret that only looks like words. */
function firstWords(lines: string[]): string {
  const text = lines
    .map((line) => line.replace(/^\d{3}([ -]|$)(\d\.\d{1,3}\.\d{1,3}(\s|$))?/, ""))
    .join(" ")
    .replace(/<[^<>]*>|[^\s<>()[\]:;,"]*@[^\s<>()[\]:;,"']+/g, "…")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  return text.length > mostWords ? `${text.slice(0, mostWords - 1)}…` : text;
}

/** Whether the attempt ended without an answer from the server. */
export const isUnanswered = (error: unknown): boolean =>
  !(error instanceof Error && "responseCode" in error && error.responseCode);
