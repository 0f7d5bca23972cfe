import { createTransport } from "nodemailer";
import { brand } from "@/brand/brand";
import { type Envelope, MailRejected, type Mailer } from "@/domain/mail/letter";
import { isPlainAddress, parseSender } from "./address";
import { transportOptions } from "./transport";
import { refusesTheLetter } from "./verdict";

export type MailerOptions = {
  /** smtp:// or smtps://, with the login in it where the server wants one. */
  smtpUrl: string;
  /** `shop@example.com` or `Shop <shop@example.com>`. */
  from: string;
  /** The longest that one attempt may take from connecting to the final 250. Default: a minute. */
  deadlineMs?: number;
};

/**
 * The mailer of `domain/mail/letter.ts` over SMTP. A letter has a connection of its own: no line
 * of a pool can go stale under it, nor does a pool send it again by itself when a line breaks
 * after the server took it. `close()` ends the attempts under way, which then fail as retryable.
 */
export function createMailer({ smtpUrl, from, deadlineMs = 60_000 }: MailerOptions) {
  const sender = parseSender(from, brand.product);
  const transport = createTransport({ ...timeouts(deadlineMs), ...transportOptions(smtpUrl) });
  const closing = new AbortController();

  async function send({ to, messageId, letter }: Envelope) {
    if (!isPlainAddress(to)) throw new MailRejected("the recipient is not one plain address");
    if (!isMessageId(messageId)) throw new MailRejected("the Message-ID is not one");
    // what draws the letters is large, and a shop that starts has none to write yet
    const { compose } = await import("./compose");
    await transport
      .sendMail({
        ...compose(letter),
        from: sender,
        to: { name: "", address: to },
        replyTo: brand.supportEmail,
        envelope: { from: sender.address, to: [to] },
        messageId,
        // RFC 3834 §5: nobody's holiday notice answers this.
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)]),
      })
      .catch((error: unknown) => {
        throw refusesTheLetter(error) ? new MailRejected(error.message, { cause: error }) : error;
      });
  }
  return {
    send,
    close() {
      closing.abort(new Error("the mailer is closing"));
      transport.close();
    },
  } satisfies Mailer & { close(): void };
}

/** No wait inside an attempt outlives the attempt; nodemailer's own defaults go up to ten minutes. */
function timeouts(deadlineMs: number) {
  const within = (ms: number) => Math.min(ms, deadlineMs);
  return {
    dnsTimeout: within(10_000),
    connectionTimeout: within(10_000),
    greetingTimeout: within(10_000),
    socketTimeout: within(30_000),
  };
}

/** RFC 5322 §3.6.4, without its rarities. */
function isMessageId(text: string) {
  return /^<[^\s\p{C}<>@]+@[^\s\p{C}<>@]+>$/u.test(text);
}
