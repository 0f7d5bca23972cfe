import { createTransport, type SMTPTransportOptions } from "nodemailer";
import { brand } from "@/brand/brand";
import { isMailable, wireAddress } from "@/contract/vocabulary/addresses";
import { minute } from "@/contract/vocabulary/time";
import { senderOf } from "@/core/settings/sender";
import {
  emailsAtOnce,
  type Envelope,
  MailDeferred,
  type Mailer,
  MailRefused,
  MailRejected,
  MailUncertain,
} from "@/domain/mail/email";
import { explainError, mailFailure } from "./failure";
import { isUnanswered, loginIn, type Reply, replyOf, shownReply, verdictOn } from "./replies";
import { connectOptions } from "./transport";

export type MailerOptions = {
  /** smtp:// or smtps://, including the login if the server needs one. */
  smtpUrl: string;
  /** `shop@example.com` or `Shop <shop@example.com>`. */
  from: string;
  /** What it greets the server with; see `helloName`. */
  hello?: string | undefined;
  /** Whether emails name the shop's Discord server; they do by default. */
  hasDiscord?: boolean;
  /** The time limit of one attempt, from connecting to the final 250. Default: one minute. */
  deadlineMs?: number;
};

/** Shorter than servers wait for the next email: an overloaded Postfix waits ten seconds. */
const idleMilliseconds = 5_000;
const emailsAConnection = 100;

/**
 * The mailer of `domain/mail/email.ts` over SMTP, which keeps connections open for a while. If the server closed a
 * kept connection before receiving a byte of the email, the pool uses another connection; the outbox retries after any
 * other failure. `close()` aborts attempts in progress, which then fail as retryable.
 */
export function createMailer({ smtpUrl, from, hello, deadlineMs = minute, ...look }: MailerOptions) {
  const written = senderOf(from);
  if (!written) throw new Error(`"${from}" is not an address to send mail from`);
  const login = loginIn(smtpUrl);
  const sender = { ...written, name: written.name || brand.product };
  const pool = (maxConnections: number, options: SMTPTransportOptions) =>
    createTransport({
      pool: true,
      maxConnections,
      maxMessages: emailsAConnection,
      // the server may have closed every kept connection
      maxRequeues: maxConnections,
      idleTimeout: idleMilliseconds,
      ...timeouts(deadlineMs),
      ...options,
    });
  const open = async () => {
    const options = await connectOptions(smtpUrl, { hello });
    const all = {
      urgent: pool(emailsAtOnce.urgent, options),
      mail: pool(emailsAtOnce.mail, options),
      bulk: pool(emailsAtOnce.bulk + emailsAtOnce.deferred + emailsAtOnce.owner, options),
    };
    for (const transport of Object.values(all)) noteContent(transport);
    return all;
  };
  /** The emails whose content the server has asked for, and so may have accepted. */
  const handedOver = new Set<string>();
  const noteContent = (transport: ReturnType<typeof pool>) =>
    transport.use("stream", ({ message, data }, done) => {
      const create = message.createReadStream.bind(message);
      message.createReadStream = (...options) => {
        const content = create(...options);
        const pipe = content.pipe.bind(content);
        content.pipe = (...target) => {
          handedOver.add(data.messageId ?? "");
          return pipe(...target);
        };
        return content;
      };
      done();
    });
  let opened: ReturnType<typeof open> | null = null;
  const pools = () =>
    (opened ??= open().catch((error: unknown) => {
      // the look-up failed; the next email looks the server up again
      opened = null;
      throw explainError(error);
    }));
  const closing = new AbortController();

  async function send({ to: stored, messageId, email }: Envelope) {
    const to = wireAddress(stored);
    if (!isMailable(to)) throw new MailRejected("the recipient is not one plain address", true);
    if (!isMessageId(messageId)) throw new MailRejected("the Message-ID is not one", true);
    // imported late, because a starting shop has no email to send
    const { messageOf } = await import("./message");
    const pool = (await pools())[email.connections ?? "mail"];
    await pool
      .sendMail({
        ...messageOf(email, look),
        from: sender,
        to: { name: "", address: to },
        replyTo: brand.supportEmail,
        envelope: { from: sender.address, to: [to] },
        messageId,
        // RFC 3834 §5: suppresses automatic replies.
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "All",
          ...(email.unsubscribeUrl ? oneClick(email.unsubscribeUrl) : {}),
        },
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(deadlineMs)]),
      })
      .catch((error: unknown) => {
        const reply = replyOf(error);
        if (reply) throw errorOfReply(reply, { login, cause: error });
        const isUncertain = handedOver.has(messageId) && isUnanswered(error);
        throw isUncertain ? new MailUncertain("no answer", { cause: error }) : explainError(error);
      })
      .finally(() => handedOver.delete(messageId));
  }
  return {
    send,
    close() {
      closing.abort(new Error("the mailer is closing"));
      void opened?.then(closeAll, () => {});
    },
  } satisfies Mailer & { close(): void };
}

/** A failure with the reply's first words; those of a login's refusal are our own, because the server's may repeat it. */
function errorOfReply(reply: Reply, { login, cause }: { login: string[]; cause: unknown }): unknown {
  const { to } = reply;
  const words = (to === "before" && mailFailure(cause)) || reply.words;
  const shown = shownReply({ ...reply, words }, login);
  const verdict = verdictOn(reply);
  if (verdict === "set-up") return new MailRefused(shown, to === "before", { cause });
  if (verdict === "later") return to === "before" ? explainError(cause) : new MailDeferred(shown, { cause });
  return new MailRejected(shown, verdict === "recipient", { cause });
}

const closeAll = (pools: Record<string, { close(options: { force: boolean }): void }>) => {
  for (const transport of Object.values(pools)) transport.close({ force: true });
};

/** Mail programs then show an unsubscribe button: RFC 8058. */
const oneClick = (url: string) => ({
  "List-Unsubscribe": `<${url}>`,
  "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});

/** Nodemailer's default timeouts, up to ten minutes, would outlast the attempt. */
function timeouts(deadlineMs: number) {
  const within = (ms: number) => Math.min(ms, deadlineMs);
  return {
    dnsTimeout: within(10_000),
    connectionTimeout: within(10_000),
    greetingTimeout: within(10_000),
    socketTimeout: within(30_000),
  };
}

/** RFC 5322 §3.6.4, without its rare forms. */
function isMessageId(text: string) {
  return /^<[^\s\p{C}<>@]+@[^\s\p{C}<>@]+>$/u.test(text);
}
