import type { Metrics } from "@/core/metrics";
import { type Envelope, type Mailer, MailRejected } from "./email";

/** `untried`: nothing was sent since the start. */
export const mailStates = ["off", "untried", "up", "away"] as const;
export type MailState = (typeof mailStates)[number];

/** Wraps a mailer to count its emails and remember how the last one went. */
export function watchedMailer<M extends Mailer>(mailer: M, metrics: Metrics) {
  const count = metrics.counter(
    "latchkey_mail_total",
    "Letters passed to the mail server.",
    ["result"],
    [["sent"], ["failed"], ["rejected"]],
  );
  let state: MailState = "untried";
  return {
    ...mailer,
    state: () => state,
    async send(envelope: Envelope) {
      try {
        await mailer.send(envelope);
        state = "up";
        count("sent");
      } catch (error) {
        const rejected = error instanceof MailRejected;
        // a server that rejects one address is up
        state = rejected ? "up" : "away";
        count(rejected ? "rejected" : "failed");
        throw error;
      }
    },
  };
}
