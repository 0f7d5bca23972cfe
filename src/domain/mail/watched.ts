import type { Ctx } from "@/core/database/context";
import type { Metrics } from "@/core/log/metrics";
import { reasonOf } from "@/core/log/log";
import { type Envelope, type Mailer, MailRefused, MailRejected } from "./email";
import { checkRefusing, noteAcceptance, noteRefusal, type RefusingServer } from "./refusing";

/** `untried`: nothing was sent since the start. `refusing`: the server refuses whatever it is sent. */
export const mailStates = ["off", "untried", "up", "away", "refusing"] as const;
export type MailState = (typeof mailStates)[number];

/**
 * Wraps a mailer to count its emails, to remember how the last one went, and to notice a server that refuses everybody:
 * then also a recipient whom it refuses by the code alone waits, as {@link MailRefused}.
 */
export function watchedMailer<M extends Mailer>(ctx: Ctx, mailer: M, metrics: Metrics) {
  const count = metrics.counter(
    "latchkey_mail_total",
    "Letters passed to the mail server.",
    ["result"],
    [["sent"], ["failed"], ["rejected"]],
  );
  let state: MailState = "untried";
  /** As this process knows it. */
  let noted: { refusing: RefusingServer | null; anyRefused: boolean } = { refusing: null, anyRefused: true };

  /** The failure as the shop treats it. */
  async function judged(error: unknown, { to }: Envelope): Promise<unknown> {
    const isUnsure = error instanceof MailRejected && !error.isSure;
    if (!isUnsure && !(error instanceof MailRefused)) return error;
    const refusing = await noteRefusal(ctx, {
      domain: to.slice(to.lastIndexOf("@") + 1).toLowerCase(),
      words: error.message,
      isBeforeRecipient: error instanceof MailRefused && error.isBeforeRecipient,
    });
    noted = { refusing, anyRefused: true };
    return isUnsure && refusing ? new MailRefused(error.message, false, { cause: error }) : error;
  }

  /** Never fails: the email is sent. */
  async function accepted() {
    state = "up";
    count("sent");
    if (!noted.anyRefused) return;
    try {
      await noteAcceptance(ctx);
      noted = { refusing: null, anyRefused: false };
    } catch (error) {
      ctx.log.warn("that the mail server accepts again could not be noted", { reason: reasonOf(error) });
    }
  }

  return {
    ...mailer,
    state: (): MailState => (noted.refusing ? "refusing" : state),
    refusing: () => noted.refusing,
    /** Learns what other processes noted, and has the server tried while it refuses everybody. */
    async check() {
      noted = await checkRefusing(ctx);
    },
    async send(envelope: Envelope) {
      try {
        await mailer.send(envelope);
      } catch (caught) {
        const error = await judged(caught, envelope);
        const isRejected = error instanceof MailRejected;
        // a server that rejects one address is up
        state = isRejected ? "up" : "away";
        count(isRejected ? "rejected" : "failed");
        throw error;
      }
      await accepted();
    },
  };
}
